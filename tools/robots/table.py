# SPDX-License-Identifier: MIT
"""The TSV file of the games: a line with the settings, a heading, and one row for each photo, start and stroke."""
import os
from dataclasses import astuple, dataclass, fields


@dataclass
class Row:
    photo: str
    start: str
    stroke: int    # number of corrections so far
    label: int     # class of the last stroke: 1 foreground, -1 background, 0 none
    x: int         # deepest point of the last stroke
    y: int
    pixels: int    # pixels that the stroke has painted; in the first row, those of the start's strokes
    error: float   # error in percent of the judged pixels
    iou: float
    ms: float      # time of the engine, without reading and writing
    note: str      # "refused": only one class has seeds, and all pixels get it; "end": the last row of its game

    def line(self):
        return "\t".join(f"{v:.4f}" if isinstance(v, float) else str(v) for v in astuple(self))


HEADING = "\t".join(field.name for field in fields(Row))


def row_of(cells):
    return Row(*(field.type(cell) for field, cell in zip(fields(Row), cells)))


def read(path):
    """Reads (settings, rows) of complete games; an interrupted game is left out. Raises ValueError if the file is no
    such table, or was joined from several, whose means would make no sense."""
    rows, game, settings, played = [], [], None, set()
    with open(path, encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            cells = line.rstrip("\n").split("\t")
            try:
                if line.startswith("#"):
                    settings = one_settings(settings, line[1:].strip())
                elif len(cells) == len(fields(Row)) and cells[0] != "photo":
                    row = row_of(cells)
                    game = game + [row] if game and game[0].photo == row.photo and row.stroke == len(game) else [row]
                    if row.note.endswith("end") and game[0].stroke == 0:
                        count_game(played, row)
                        rows += game
                        game = []
            except ValueError as error:
                raise ValueError(f"{path}: line {number}: {error}") from None
    if settings is None:
        raise ValueError(f"{path}: is no table of 'robot run', whose first line says how was played")
    return settings, rows


def one_settings(before, settings):
    if before not in (None, settings):
        raise ValueError(f"games of '{settings}' after games of '{before}'; keep each in a file of its own")
    return settings


def count_game(played, row):
    if (row.photo, row.start) in played:
        raise ValueError(f"{row.photo} from {row.start} is here twice; take one of the two games out")
    played.add((row.photo, row.start))


class Output:
    """A table that grows game by game, so that an interrupted run can be continued."""

    def __init__(self, path, settings):
        rows = []
        if os.path.exists(path) and os.path.getsize(path):
            before, rows = read(path)
            if before != settings:
                raise ValueError(f"{path}: was played with '{before}', not '{settings}'; name another file")
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write("\n".join([f"# {settings}", HEADING] + [row.line() for row in rows]) + "\n")
        os.replace(path + ".part", path)
        self.path, self.played = path, {(row.photo, row.start) for row in rows}

    def has(self, photo, start):
        return (photo, start) in self.played

    def add(self, rows):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("".join(row.line() + "\n" for row in rows))


def games(rows):
    """Returns {start: {photo: [rows by stroke]}}."""
    found = {}
    for row in rows:
        found.setdefault(row.start, {}).setdefault(row.photo, []).append(row)
    return found

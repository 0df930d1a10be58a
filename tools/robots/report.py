# SPDX-License-Identifier: MIT
"""Tables and a plot of the robot's results."""
import argparse
import shutil
import subprocess
import sys
from statistics import mean, median

from . import data, table

SHOWN = (0, 1, 2, 4, 8)
HURT = 0.02


def at(game, stroke):
    """Returns the row after this many strokes, or the last row if the game has ended before."""
    return game[min(stroke, len(game) - 1)]


def strokes_until(game, iou):
    """Returns the number of strokes until the IoU is reached, 20 if never. A click at the start counts as one."""
    first = 1 if game[0].start == "click" else 0
    return next((row.stroke + first for row in game if row.iou >= iou), 20)


def by_unit(photos, value):
    """Returns one number for each unit: the mean over its frames."""
    units = {}
    for name, game in photos.items():
        units.setdefault(data.unit_of(name), []).append(value(game))
    return [mean(values) for values in units.values()]


def line_of(start, photos):
    errors = [by_unit(photos, lambda game, k=k: at(game, k).error) for k in SHOWN]
    pairs = [(a, b) for game in photos.values() for a, b in zip(game, game[1:])]
    hurt = sum(b.iou < a.iou - HURT for a, b in pairs)
    early = [(a, b) for a, b in pairs if b.stroke <= SHOWN[-1]]
    hurt_early = sum(b.iou < a.iou - HURT for a, b in early)
    noc = [mean(by_unit(photos, lambda game, goal=goal: strokes_until(game, goal))) for goal in (.85, .90)]
    cells = [start, f"{len(errors[0])}/{len(photos)}"]
    cells += [f"{mean(e):.2f}" for e in errors] + [f"{median(e):.2f}" for e in errors]
    cells += [f"{mean(by_unit(photos, lambda game: game[0].iou)):.3f}", f"{hurt_early}/{len(early)}",
              f"{hurt}/{len(pairs)}", f"{noc[0]:.2f}", f"{noc[1]:.2f}"]
    cells += [f"{median(row.ms for game in photos.values() for row in game):.0f}"]
    return "| " + " | ".join(cells) + " |"


def compare(start, ours, theirs):
    """Counts the photos on which either run has the smaller error, by any amount and by at least one point."""
    names = sorted(set(ours) & set(theirs))
    cells = [start, str(len(names))]
    for k in SHOWN:
        gaps = [at(ours[name], k).error - at(theirs[name], k).error for name in names]
        cells.append(f"{sum(g < -.005 for g in gaps)}:{sum(g > .005 for g in gaps)} "
                     f"({sum(g < -1 for g in gaps)}:{sum(g > 1 for g in gaps)})")
    return "| " + " | ".join(cells) + " |"


def read_games(path, half):
    try:
        settings, rows = table.read(path)
    except (OSError, ValueError) as error:
        sys.exit(f"robot: {error}")
    rows = [row for row in rows if half in ("all", data.half_of(row.photo))]
    if not rows:
        sys.exit(f"robot: {path}: has no complete game of the photos asked for")
    return settings, table.games(rows)


def table_of(settings, games):
    print(f"{settings}\n")
    print("| start | units/photos | " + " | ".join(f"error {k}" for k in SHOWN) + " | " +
          " | ".join(f"median {k}" for k in SHOWN) + " | IoU 0 | hurt, first 8 | hurt | NoC85 | NoC90 | ms |")
    print("|---|" + "---|" * (2 * len(SHOWN) + 6))
    for start, photos in games.items():
        print(line_of(start, photos))


def worst(games, count):
    for start, photos in games.items():
        rows = sorted((at(game, 0).error, name) for name, game in photos.items())[-count:]
        print(f"\nworst of {start}: " + ", ".join(f"{name} {error:.2f}" for error, name in reversed(rows)))


def summary(words):
    parser = argparse.ArgumentParser(
        prog="robot summary", description="Means and medians are over units: a photo, or all frames of a clip.")
    parser.add_argument("tables", nargs="+", help="one or two TSV files")
    parser.add_argument("--half", choices=["all", "tune", "test"], default="all")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also the N worst photos of each start")
    asked = parser.parse_args(words)
    if len(asked.tables) > 2:
        sys.exit("robot: summary takes one or two tables")
    read = [read_games(path, asked.half) for path in asked.tables]
    for settings, games in read:
        table_of(settings, games)
        worst(games, asked.worst) if asked.worst else None
        print()
    if len(read) == 2:
        print("Photos on which the first is better : worse than the second, by a point in parentheses:\n")
        print("| start | photos | " + " | ".join(f"after {k}" for k in SHOWN) + " |")
        print("|---|" + "---|" * (len(SHOWN) + 1))
        for start in read[0][1]:
            if start in read[1][1]:
                print(compare(start, read[0][1][start], read[1][1][start]))
    return 0


# ---- the plot ------------------------------------------------------------------------------------

def plot(words):
    parser = argparse.ArgumentParser(prog="robot plot", description="Mean error against strokes, by gnuplot.")
    parser.add_argument("picture", help="PNG to write")
    parser.add_argument("tables", nargs="+")
    parser.add_argument("--half", choices=["all", "tune", "test"], default="all")
    asked = parser.parse_args(words)
    if not shutil.which("gnuplot"):
        sys.exit("robot: plot needs gnuplot (Debian package gnuplot-nox)")
    curves = []
    for path in asked.tables:
        settings, games = read_games(path, asked.half)
        for start, photos in games.items():
            most = max(len(game) for game in photos.values())
            curves.append((f"{start}: {settings}" if len(asked.tables) > 1 else start,
                           [mean(by_unit(photos, lambda game, k=k: at(game, k).error)) for k in range(most)]))
    script = ["set terminal pngcairo size 900,600 font ',11'", f"set output '{quoted(asked.picture)}'",
              "set xlabel 'strokes'", "set ylabel 'mean error, % of judged pixels'", "set key outside below noenhanced",
              "set yrange [0:*]", "set grid"]
    script.append("plot " + ", ".join(f"'-' with linespoints title '{quoted(title)}'" for title, _ in curves))
    for _, means in curves:
        script += [f"{k} {value}" for k, value in enumerate(means)] + ["e"]
    drawn = subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=False)
    return drawn.returncode


def quoted(text):
    return text.replace("'", "''")

/* SPDX-License-Identifier: MIT
 *
 * make_clip.c - draws a film with its truth, for video.sh and tools/bench-video, and compares masks with it:
 *
 *     make_clip PREFIX WIDTH HEIGHT FRAMES
 *     make_clip PREFIX WIDTH HEIGHT score < MASKS
 *     make_clip deepen|grey BITS < Y4M        copies with 8 to 16 bits a sample, or in grey
 *
 * PREFIX.rgb has the frames as ffmpeg's `-f rawvideo -pix_fmt rgb24` writes them, and PREFIX.y4m the same frames with
 * half of the chroma samples in each direction. PREFIX.truth has the true mask of each frame, a byte a pixel, 0 or 255.
 * PREFIX.pgm has strokes on the first frame: 0 background, 128 unknown, 255 foreground. The second form reads masks, a
 * byte a pixel, and prints the number of frames, the mean intersection over union, the least one, and its frame.
 *
 * An object of three colours moves over a colourful background, turns, and changes its outline. The camera pans, the
 * light changes, things in the object's colours pass by, and every sample has noise. The film is the same on every
 * machine except for the last bit of sin().
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct color {
    double c[3];
} color;

static uint32_t hash(uint32_t x)
{
    x ^= x >> 16, x *= 0x7feb352du;
    x ^= x >> 15, x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Returns smooth noise from 0 to 1, with cells of size 1. */
static double noise(double x, double y, uint32_t seed)
{
    const double fx = floor(x), fy = floor(y), u = x - fx, v = y - fy;
    const double a = u * u * (3 - 2 * u), b = v * v * (3 - 2 * v);
    double corner[4];
    for (int i = 0; i < 4; i++) {
        const uint32_t cx = (uint32_t)(int32_t)(fx + i % 2), cy = (uint32_t)(int32_t)(fy + (double)(i / 2));
        corner[i] = hash(hash(cx * 0x9e3779b9u + seed) ^ cy) / 4294967295.0;
    }
    return (corner[0] * (1 - a) + corner[1] * a) * (1 - b) + (corner[2] * (1 - a) + corner[3] * a) * b;
}

static color mix(color a, color b, double t)
{
    color out;
    for (int i = 0; i < 3; i++) out.c[i] = a.c[i] * (1 - t) + b.c[i] * t;
    return out;
}

/* Returns the background's colour. x and y are in frame heights, relative to the camera. */
static color ground(double x, double y)
{
    static const color grass = {{70, 96, 52}}, earth = {{112, 92, 66}}, stone = {{212, 196, 168}};
    const double slow = noise(3 * x, 3 * y, 1), fast = noise(17 * x, 17 * y, 2), grain = noise(80 * x, 80 * y, 3);
    const color base = slow > 0.62 ? stone : mix(grass, earth, slow > 0.45 ? 1 : slow / 0.45);
    const color dark = {{30, 34, 30}};
    return mix(base, dark, 0.25 * fast + 0.25 * grain);
}

/* Returns the object's colour. u runs along the object and v across it, in radii. */
static color coat(double u, double v)
{
    static const color fur = {{196, 118, 48}}, belly = {{226, 206, 176}}, stripe = {{84, 40, 22}};
    const double wave = sin(7 * u + 2 * noise(3 * u, 3 * v, 7));
    const color base = v > 0.35 ? belly : wave > 0.55 ? stripe : fur;
    const color shade = {{60, 36, 20}};
    return mix(base, shade, 0.3 * noise(9 * u, 9 * v, 8));
}

typedef struct pose {
    double x, y, turn, t;
} pose;

static pose pose_at(int frame)
{
    const double t = frame;
    return (pose){0.85 + 0.38 * sin(t / 23), 0.5 + 0.17 * sin(t / 17), 0.5 * sin(t / 29), t};
}

/* Returns a value below 1 inside the object. */
static double outline(const pose *at, double u, double v)
{
    const double angle = atan2(v, u);
    const double r = 1 + 0.16 * sin(3 * angle + at->t / 11) + 0.10 * sin(5 * angle - at->t / 7);
    return sqrt(u * u + v * v) / r;
}

/* Computes the pixel at x, y of the frame. Returns 1 if it belongs to the object. */
static int look(const pose *at, double x, double y, color *out)
{
    const double radius = 0.21, pan = 0.004 * at->t;
    const double dx = x - at->x, dy = y - at->y;
    const double u = (dx * cos(at->turn) + dy * sin(at->turn)) / (1.25 * radius);
    const double v = (dy * cos(at->turn) - dx * sin(at->turn)) / (0.85 * radius);
    const double ball_x = fmod(0.3 + 0.011 * at->t, 2.6) - 0.4, ball_y = 0.88, px = x - ball_x, py = y - ball_y;
    const int object = outline(at, u, v) < 1;
    *out = object ? coat(u, v) : px * px + py * py < 0.004 ? coat(9 * px, 9 * py) : ground(x + pan, y);
    return object;
}

/* Returns the stroke at (x, y) of the first frame. There are strokes along the object, across it, and around it. */
static int stroke_at(const pose *at, double x, double y)
{
    const double dx = x - at->x, dy = y - at->y, brush = 0.012;
    const double around = sqrt(dx * dx / (0.42 * 0.42) + dy * dy / (0.36 * 0.36));
    if (fabs(dy) < brush && fabs(dx) < 0.17) return 255;
    if (fabs(dx) < brush && fabs(dy) < 0.11) return 255;
    return fabs(around - 1) < 0.03 ? 0 : 128;
}

static FILE *open_part(const char *prefix, const char *end, const char *mode)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", prefix, end);
    FILE *const file = fopen(path, mode);
    if (!file) perror(path), exit(1);
    return file;
}

/* BT.601 with values from 16 to 235, from red, green and blue. Truncation rounds correctly, because the sum includes
 * 0.5. */
static double light_of(const uint8_t *p) { return 16.5 + (65.481 * p[0] + 128.553 * p[1] + 24.966 * p[2]) / 255; }
static double blue_of(const uint8_t *p) { return 128.5 + (-37.797 * p[0] - 74.203 * p[1] + 112 * p[2]) / 255; }
static double red_of(const uint8_t *p) { return 128.5 + (112 * p[0] - 93.786 * p[1] - 18.214 * p[2]) / 255; }

static void write_y4m(const uint8_t *rgb, int width, int height, FILE *out)
{
    fputs("FRAME\n", out);
    for (int p = 0; p < width * height; p++) putc((int)light_of(rgb + 3 * p), out);
    for (int plane = 0; plane < 2; plane++)
        for (int y = 0; y < height; y += 2)
            for (int x = 0; x < width; x += 2) {
                const uint8_t *const pixel = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
                putc((int)(plane ? red_of(pixel) : blue_of(pixel)), out);
            }
}

static void draw(int width, int height, int frame, uint8_t *film, FILE *truth)
{
    const pose at = pose_at(frame);
    const double light = 1 + 0.06 * sin(frame / 13.0);
    uint8_t *const inside = malloc((size_t)width);
    if (!inside) exit(1);
    for (int y = 0; y < height; y++) {
        uint8_t *const row = film + 3 * (size_t)y * (size_t)width;
        for (int x = 0; x < width; x++) {
            color c;
            inside[x] = look(&at, (x + 0.5) / height, (y + 0.5) / height, &c) ? 255 : 0;
            for (int i = 0; i < 3; i++) {
                const uint32_t chance = hash((uint32_t)(((frame * height + y) * width + x) * 3 + i));
                const double grain = ((chance & 255) + (chance >> 8 & 255) + (chance >> 16 & 255)) / 32.0 - 12;
                const double value = light * c.c[i] + grain;
                row[3 * x + i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
            }
        }
        fwrite(inside, 1, (size_t)width, truth);
    }
    free(inside);
}

static int score(FILE *truth, size_t pixels)
{
    uint8_t *const mask = malloc(pixels), *const right = malloc(pixels);
    double sum = 0, least = 2;
    int frames = 0, worst = 0;
    if (!mask || !right) return 1;
    for (; fread(mask, 1, pixels, stdin) == pixels && fread(right, 1, pixels, truth) == pixels; frames++) {
        size_t both = 0, either = 0;
        for (size_t p = 0; p < pixels; p++) both += mask[p] && right[p], either += mask[p] || right[p];
        const double iou = either ? (double)both / (double)either : 1;
        sum += iou;
        if (iou < least) least = iou, worst = frames;
    }
    printf("%d %.4f %.4f %d\n", frames, frames ? sum / frames : 0, least, worst);
    free(mask);
    free(right);
    return 0;
}

/* Copies the y4m on standard input with more bits a sample, or without colours. */
static int deepen(bool grey, unsigned bits)
{
    char line[200];
    int width, height;
    if (!fgets(line, sizeof line, stdin) || sscanf(line, "YUV4MPEG2 W%d H%d", &width, &height) != 2) return 1;
    printf("YUV4MPEG2 W%d H%d F25:1 C", width, height);
    if (bits == 8) printf(grey ? "mono\n" : "420\n");
    else printf(grey ? "mono%u\n" : "420p%u\n", bits);
    const int light = width * height, all = light + 2 * ((width + 1) / 2) * ((height + 1) / 2);
    while (fgets(line, sizeof line, stdin)) {
        fputs("FRAME\n", stdout);
        for (int i = 0; i < all; i++) {
            const unsigned v = (unsigned)getchar();
            const unsigned deep = grey ? (2 * v * ((1u << bits) - 1) + 255) / 510 : v << (bits - 8);
            if (grey && i >= light) continue;
            putchar((int)(deep & 255));
            if (bits > 8) putchar((int)(deep >> 8));
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3) return deepen(!strcmp(argv[1], "grey"), (unsigned)atoi(argv[2]));
    if (argc != 5) return 2;
    const int width = atoi(argv[2]), height = atoi(argv[3]), frames = atoi(argv[4]);
    if (!strcmp(argv[4], "score")) return score(open_part(argv[1], ".truth", "rb"), (size_t)width * (size_t)height);
    FILE *const film = open_part(argv[1], ".rgb", "wb"), *const truth = open_part(argv[1], ".truth", "wb");
    FILE *const strokes = open_part(argv[1], ".pgm", "wb"), *const y4m = open_part(argv[1], ".y4m", "wb");
    uint8_t *const rgb = malloc(3 * (size_t)width * (size_t)height);
    const pose first = pose_at(0);
    if (!rgb) return 1;
    fprintf(strokes, "P5\n%d %d\n255\n", width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) putc(stroke_at(&first, (x + 0.5) / height, (y + 0.5) / height), strokes);
    fprintf(y4m, "YUV4MPEG2 W%d H%d F30000:1001 Ip A1:1 C420jpeg\n", width, height);
    for (int frame = 0; frame < frames; frame++) {
        draw(width, height, frame, rgb, truth);
        fwrite(rgb, 3, (size_t)width * (size_t)height, film);
        write_y4m(rgb, width, height, y4m);
    }
    free(rgb);
    return fclose(film) || fclose(truth) || fclose(strokes) || fclose(y4m);
}

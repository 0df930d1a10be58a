/* SPDX-License-Identifier: MIT
 *
 * test_georeference.c - georeferences of pictures. GeoTIFFs that GDAL 3.6.2 wrote are read, and our own files are read
 * again, whole, cropped, scaled and turned. Shapes in map units are converted to pixels and back.
 */
#include "annotation.h" /* must precede check.h, which defines a macro fail() */
#include "image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "random_graph.h"
#include "run_suite.h"

/* Two files of 4 x 2 pixels of 8 bits, made by gdal_translate -of GTiff -a_srs EPSG:32633 -a_ullr 400000 5800000 400002
 * 5799999, the second one also with -mo AREA_OR_POINT=Point. */
static const char *const of_gdal[] = {
        "49492a00080000000f0000010300010000000400000001010300010000000200000002010300010000000800000003010300"
        "0100000001000000060103000100000001000000110104000100000068010000150103000100000001000000160103000100"
        "0000020000001701040001000000080000001c01030001000000010000005301030001000000010000000e830c0003000000"
        "c200000082840c0006000000da000000af870300200000000a010000b18702001e0000004a01000000000000000000000000"
        "e03f000000000000e03f000000000000000000000000000000000000000000000000000000000000000000000000006a1841"
        "000000001020564100000000000000000100010000000700000400000100010001040000010001000204b187160000000108"
        "b187070016000608000001008e23000c00000100797f040c000001002923574753203834202f2055544d207a6f6e65203333"
        "4e7c5747532038347c003132333435363738",
        "49492a00080000000f0000010300010000000400000001010300010000000200000002010300010000000800000003010300"
        "0100000001000000060103000100000001000000110104000100000068010000150103000100000001000000160103000100"
        "0000020000001701040001000000080000001c01030001000000010000005301030001000000010000000e830c0003000000"
        "c200000082840c0006000000da000000af870300200000000a010000b18702001e0000004a01000000000000000000000000"
        "e03f000000000000e03f000000000000000000000000000000000000000000000000000000000000000000000000016a1841"
        "000000f00f20564100000000000000000100010000000700000400000100010001040000010002000204b187160000000108"
        "b187070016000608000001008e23000c00000100797f040c000001002923574753203834202f2055544d207a6f6e65203333"
        "4e7c5747532038347c003132333435363738",
};

static size_t bytes_of(const char *hex, uint8_t *out)
{
    size_t count = 0;
    for (unsigned value; sscanf(hex + 2 * count, "%2x", &value) == 1; count++) out[count] = (uint8_t)value;
    return count;
}

static void check_corner(const georeference *g, double x, double y, double east, double north)
{
    const double place[2] = {x, y};
    double map[2], back[2];
    ck_assert(g->placed);
    georeference_to_map(g, place, map);
    ck_assert_double_eq_tol(map[0], east, 1e-6);
    ck_assert_double_eq_tol(map[1], north, 1e-6);
    ck_assert(georeference_to_place(g, map, back));
    ck_assert_double_eq_tol(back[0], x, 1e-6);
    ck_assert_double_eq_tol(back[1], y, 1e-6);
}

static image decode(const uint8_t *file, size_t size)
{
    image out;
    failure why = {0};
    ck_assert_msg(image_decode("test.tif", file, size, NULL, &out, NULL, &why) == EXIT_DONE, "%s", why.text);
    return out;
}

/* Writes the picture as a TIFF and reads it again. */
static image again(const image *picture)
{
    bytes file = {0};
    failure why = {0};
    const image_view view = {.width = picture->width, .height = picture->height, .channels = 1, .depth = 8,
                             .pixels = picture->pixels, .place = &picture->place};
    ck_assert_msg(image_encode("t.tif", IMAGE_MASK, &view, &file, &why) == EXIT_DONE, "%s", why.text);
    const image out = decode(file.data, file.size);
    bytes_free(&file);
    return out;
}

TEST(what_gdal_wrote_is_read_and_written_again)
{
#if !__has_include(<tiffio.h>)
    return;
#endif
    for (int i = 0; i < 2; i++) {
        uint8_t file[1000];
        image first = decode(file, bytes_of(of_gdal[i], file));
        ck_assert_int_eq(first.place.epsg, 32633);
        ck_assert_int_eq(first.place.by_centers, i);
        check_corner(&first.place, 0, 0, 400000, 5800000);
        check_corner(&first.place, 4, 2, 400002, 5799999);
        image second = again(&first);
        ck_assert_mem_eq(&second.place, &first.place, sizeof first.place);
        image_crop(&first, &(image_box){1, 1, 2, 1});
        check_corner(&first.place, 0, 0, 400000.5, 5799999.5);
        georeference_scale(&first.place, 0.5, 0.5);
        image third = again(&first);
        check_corner(&third.place, 1, 1, 400001.5, 5799998.5);
        image_free(&first);
        image_free(&second);
        image_free(&third);
    }
}

TEST(a_turned_picture_keeps_its_place)
{
#if !__has_include(<tiffio.h>)
    return;
#endif
    uint64_t seed = 1;
    for (int i = 0; i < 100; i++) {
        uint8_t pixels[6] = {0};
        double place[2], map[2];
        image turned = {.width = 3, .height = 2, .channels = 1, .depth = 8, .pixels = pixels};
        georeference *const g = &turned.place;
        g->placed = true;
        for (int k = 0; k < 2; k++) {
            g->origin[k] = random_below(&seed, 1 << 20);
            g->across[k] = random_below(&seed, 2001) / 1000. - 1;
            g->down[k] = random_below(&seed, 2001) / 1000. - 1;
            place[k] = random_below(&seed, 100);
        }
        if (fabs(g->across[0] * g->down[1] - g->across[1] * g->down[0]) < 1e-3) continue;
        georeference_to_map(g, place, map);
        image read = again(&turned);
        check_corner(&read.place, place[0], place[1], map[0], map[1]);
        image_free(&read);
    }
}

/* A grid of four by three pixels of half a metre. The pixels in columns 1 and 2 of row 1 are foreground. */
static const georeference field = {.placed = true, .origin = {500000, 6000000}, .across = {0.5, 0}, .down = {0, -0.5},
                                   .epsg = 25832};
static const uint8_t object[12] = {[5] = 255, [6] = 255};

static int fit(const char *text, const georeference *place, uint8_t mask[12], failure *why)
{
    const annotation_request request = {.name = "a.geojson", .photo = "p.tif", .width = 4, .height = 3, .place = place};
    shapes all;
    *why = (failure){0};
    int status = annotation_read(&request, (const uint8_t *)text, strlen(text), &all, NULL, why);
    if (!status) status = annotation_fit(&request, &all, 4, 3, why);
    if (!status) status = annotation_paint(&request, &all, 4, 3, mask, NULL, why);
    shapes_free(&all);
    return status;
}

TEST(shapes_in_map_units_are_those_in_pixels)
{
    const annotation_format *format;
    annotation_about about = {.photo = "p.tif", .label = "object", .width = 4, .height = 3, .place = &field};
    failure why = {0};
    bytes text = {0};
    uint8_t mask[12];
    ck_assert_int_eq(annotation_choose("a.geojson", NULL, &format, &why), EXIT_DONE);
    ck_assert_int_eq(annotation_encode(format, &about, object, &text, &why), EXIT_DONE);
    ck_assert(bytes_append(&text, "", 1));
    ck_assert_ptr_nonnull(strstr((char *)text.data, "EPSG::25832"));
    ck_assert_ptr_nonnull(strstr((char *)text.data, "[500000.500, 5999999.500]"));
    ck_assert_msg(fit((char *)text.data, &field, mask, &why) == EXIT_DONE, "%s", why.text);
    ck_assert_mem_eq(mask, object, sizeof mask);
    /* A photo without a georeference, and one with other coordinates. */
    georeference other = field;
    other.epsg = 4326;
    ck_assert_int_eq(fit((char *)text.data, NULL, mask, &why), EXIT_SEEDS);
    ck_assert_ptr_nonnull(strstr(why.text, "p.tif does not say where it lies"));
    ck_assert_int_eq(fit((char *)text.data, &other, mask, &why), EXIT_SEEDS);
    ck_assert_ptr_nonnull(strstr(why.text, "coordinates of EPSG:25832, and p.tif those of EPSG:4326"));
    bytes_free(&text);
}

#define BOX(x, y, z, w) \
    "\"type\": \"Polygon\", \"coordinates\": [[[" x "," y "], [" z "," y "], [" z "," w "], [" x "," w "]]]}"

TEST(a_file_that_names_no_system_is_in_pixels_unless_the_photo_lies_somewhere)
{
    static const char plain[] = "{" BOX("1", "1", "3", "2");
    static const char about_picture[] = "{\"image\": {\"width\": 4, \"height\": 3}, " BOX("1", "1", "3", "2");
    static const char far[] = "{\"crs\": {\"type\": \"name\", \"properties\": {\"name\": \"EPSG:25832\"}}, "
                              BOX("1", "1", "1e90", "2");
    uint8_t mask[12];
    failure why;
    ck_assert_int_eq(fit(plain, NULL, mask, &why), EXIT_DONE);
    ck_assert_mem_eq(mask, object, sizeof mask);
    ck_assert_int_eq(fit(about_picture, &field, mask, &why), EXIT_DONE);
    ck_assert_mem_eq(mask, object, sizeof mask);
    ck_assert_int_eq(fit(plain, &field, mask, &why), EXIT_SEEDS);
    ck_assert_ptr_nonnull(strstr(why.text, "EPSG:4326, as it names no system"));
    ck_assert_int_eq(fit(far, &field, mask, &why), EXIT_SEEDS);
    ck_assert_ptr_nonnull(strstr(why.text, "lies far from where p.tif does"));
}

int main(void) { return run_suite((test_suite){.name = "georeference"}); }

/* SPDX-License-Identifier: MIT
 *
 * test_annotation_faults.c - annotation files with faults: the message names the line, or the shape is left out with a
 * note.
 */
#include "annotation_scene.h"

#include "run_suite.h"

TEST(what_is_wrong_is_told_with_its_line)
{
    static const struct { const char *file, *text;
    } cases[] = {
        {"", "line 1: an object is missing; the end of the file stands there"},
        {"{\"shapes\":[\n{\"points\":[[1,1],[2,2]\n}]}",
         "line 3: a , or ] is missing; something that is no JSON stands"},
        {"{\"shapes\":[]", "line 1: a , or } is missing; the end of the file"},
        {"{\"shapes\":[]}\n x", "line 2: something that is no JSON follows"},
        {"{\"shapes\":[],}", "line 1: text in quotes is missing"},
        {"{\"a\":tru}", "line 1: a value is missing"},
        {"{\"a\":01}", "'01' is no number"},
        {"{\"shapes\":[],\"imageWidth\":1e999}", "1e999 is too large a number"},
        {"{\"a\":\"\\x\"}", "a \\ that begins nothing"},
        {"{\"a\":\"\\ud800\"}", "a \\u that is no character"},
        {"{\"a\":\"\n\"}", "a line end or control character within text"},
        {"{\"a\":1}", "neither LabelMe's"},
        {"{\"shapes\":[]}", "a.json: has no shapes for cat.jpg"},
        {"{\"shapes\":[\n{\"points\":[[1,1],[2,2]]}]}", "line 2: a polygon of 2 points"},
        {"{\"shapes\":[{\"points\":[[1],[2,2]]}]}", "a point has 1 coordinates"},
        {"{\"shapes\":[{\"points\":[[1,\"2\"]]}]}", "a number is missing; text stands there"},
        {"{\"shapes\":[{\"points\":[[1,2e9]]}]}", "2e+09 is beyond any picture"},
        {"{\"shapes\":[{\"points\":[[1,2]],\"shape_type\":\"blob\"}]}", "a shape of the type 'blob'"},
        {"{\"shapes\":[{\"label\":\"a\"}]}", "a shape without \"points\""},
        {"{\"shapes\":[],\"imageWidth\":0}", "0 is no width or height"},
        {"{\"shapes\":[{\"points\":[[1,2]],\"shape_type\":\"point\"}]}", "has lines and points alone"},
        {"{\"shapes\":[{\"points\":[[1,1],[2,2],[1,2]]}],\"imageWidth\":4,\"imageHeight\":6}", "turned by a quarter"},
        {"{\"shapes\":[{\"points\":[[1,1],[2,2],[1,2]]}],\"imageWidth\":5}",
         "is about a picture of 5x0 but cat.jpg is 6x4"},
        {"{\"size\":[4,6],\"counts\":[4,2]}", "the runs of an RLE make 6 pixels, but 6x4 are 24"},
        {"{\"size\":[4,6],\"counts\":\"0 \"}", "run 2 of the RLE is none"},
        {"{\"size\":[0,6],\"counts\":[0]}", "an RLE whose \"size\" is 6x0"},
        {"{\"size\":[4,6],\"counts\":[1.5]}", "1.5 is no length of a run"},
        {"{\"size\":[4,6,7],\"counts\":[]}", "is height and width"},
        {"{\"annotations\":[{\"segmentation\":[[1,1,2]]}]}", "3 coordinates are no pairs"},
        {"{\"annotations\":[{\"segmentation\":[[1,1,2,2]]}]}", "a polygon of 2 points"},
        {"{\"annotations\":[{\"segmentation\":{\"size\":[4,6]}}]}", "an RLE without \"counts\""},
        {"{\"annotations\":[{\"bbox\":[1,2,3]}]}", "a \"bbox\" of 3 numbers"},
        {"{\"annotations\":[],\"images\":[{\"id\":1,\"file_name\":\"a.png\"},{\"id\":2}]}",
         "is about several pictures, and none of them has the name of"},
        {"[{\"image_id\":1,\"bbox\":[0,0,1,1]},{\"image_id\":2,\"bbox\":[0,0,1,1]}]",
         "knows its pictures by numbers (image_id), and the name of"},
        {"{\"images\":[{\"file_name\":\"a/cat.jpg\"},{\"file_name\":\"b/cat.jpg\"}],\"annotations\":[]}",
         "is about a/cat.jpg and b/cat.jpg, and which of them is cat.jpg is not told"},
        {"<svg><path></svg>", "line 1: </svg> closes no <svg>"},
        {"<svg>&no;</svg>", "line 1: an & that begins no character"},
        {"<other/>", "is XML of the root <other>"},
        {"<svg width=\"6\" height=\"4\" viewBox=\"0 0 9 4\"><rect width=\"1\" height=\"1\"/></svg>",
         "a viewBox of 9x4, whose proportions are not those of the picture, 6x4"},
        {"<svg width=\"6.5mm\" height=\"6mm\" viewBox=\"0 0 6 4\"><rect width=\"1\" height=\"1\"/></svg>",
         "a viewBox of 6x4, whose proportions are not those of its width and height"},
        {"<svg width=\"9\"><rect width=\"1\" height=\"1\"/></svg>", "one side of the drawing"},
        {"<svg width=\"6\" height=\"4\" transform=\"scale(2)\"><rect width=\"1\" height=\"1\"/></svg>",
         "in a drawing that is moved as a whole"},
        {"<svg width=\"6mm\" height=\"4mm\"><rect width=\"1\" height=\"1\"/></svg>", "is about a picture of 23x15"},
        {"<svg><style>g > rect{fill:none}</style><rect width=\"1\" height=\"1\"/></svg>",
         "line 1: a <style> for \"g > rect\"; of elements, .classes and #ids it is read"},
        {"{\"images\":[{\"id\":1,\"file_name\":\"cat.jpg\"},{\"id\":1,\"file_name\":\"dog.jpg\"}],"
         "\"annotations\":[{\"image_id\":1,\"bbox\":[0,0,1,1]}]}", "cat.jpg and dog.jpg have the same id"},
        {"{\"annotations\":[{\"bbox\":[3,1,-2,2]}]}", "a \"bbox\" of -2 x 2 pixels"},
        {"{\"annotations\":[{\"bbox\":\"1,1,2,2\"}]}", "a \"bbox\" that is no list"},
        {"{\"annotations\":[{\"polygon\":{\"paths\":[]}}]}",
         "an annotation without \"segmentation\", \"bbox\" or \"keypoints\""},
        {"[{\"name\":\"a\",\"points\":[[1,1],[4,1],[4,3]]}]", "is JSON, but neither LabelMe's"},
        {"{\"annotations\":[{\"segments_info\":[{\"id\":1}]}]}", "COCO's panoptic form"},
        {"<svg><path d=\"M1 1X\"/></svg>", "line 1: a path that is none of SVG"},
        {"<svg><rect width=\"2\" height=\"2\" fill=\"white\"/><rect width=\"1\" height=\"1\"/></svg>",
         "is drawn in black and white"},
        {"<annotations>\n<track/></annotations>", "is about the frames of a video"},
        {"<annotations><image name=\"cat.jpg\" width=\"6\" height=\"4\">\n<polygon points=\"1,0,1,0;3,0,1,0;3,0,3,0\"/>"
         "</image></annotations>", "line 2: <polygon> has points that are no pairs of x and y"},
        {"<annotations><image name=\"cat.jpg\" width=\"6\" height=\"4\">\n<box xtl=\"1\" ytl=\"1\" xbr=\"3\" ybr=\"3\" "
         "rotation=\"9,5\"/></image></annotations>", "line 2: <box> has a rotation that is no number"},
        {"<annotation><object><bndbox><xmin>1,5</xmin></bndbox></object></annotation>",
         "<xmin> is no number of a pixel"},
        {"{\"project\":{\n\"vid_list\":[]},\"view\":{}}", "line 2: a project of VIA 3, which is not read"},
        {"0 0.5 0.5 9 9\n", "line 1: a coordinate that is no share"},
        {"{\"shapes\":[{\"points\":[[1,1]],\"shape_type\":\"mask\",\"mask\":\"AAAA\"}]}", "a mask that is no picture"},
        {"{\"shapes\":[{\"points\":[[1,1],[9,9]],\"shape_type\":\"mask\",\"mask\":\"iVBOR"
         "w0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAEElEQVR42mNg+M/I8J+BAQAJBAIAKf7D/gAAAABJRU5ErkJggg=="
         "\"}]}",
         "a mask of 3x2 pixels between points of 9x9"},
        {"{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[],\n\"predictions\":[{\"result\":[]}]}",
         "line 2: predictions or drafts alone, which are not read"},
        {"{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[],\"predictions\":[]}", "has no shapes"},
        {"{\"type\":\"FeatureCollection\"}", "without \"features\""},
        {"{\"type\":\"Blob\"}", "'Blob' is no geometry"},
        {"{\"type\":\"Polygon\"}", "a Polygon without \"coordinates\""},
        {"{\"type\":\"Polygon\",\"coordinates\":[[1,2]]}", "an array is missing; a number stands there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rows[25];
        failure why = {0};
        const int status = paint_shapes(cases[i].file, NULL, true, NULL, rows, &why);
        ck_assert_msg(status == EXIT_INPUT || status == EXIT_SEEDS, "case %zu: %d", i, status);
        ck_assert_msg(strstr(why.text, cases[i].text) && !strncmp(why.text, "a.json: ", 8), "case %zu: %s", i,
                      why.text);
        ck_assert_ptr_null(strchr(why.text, '\n'));
    }
}

/* A note names the shape that is left out, and all other shapes count. */
TEST(a_shape_that_cannot_be_read_is_left_out)
{
    static const struct { const char *file, *note; } cases[] = {
        {"{\"shapes\":[{\"points\":[[1,1]]},\n{\"points\":[[0,0],[1,0],[1,1],[0,1]]},{\"points\":7}]}",
         "line 1: a polygon of 1 point; this and 1 other shapes were left out"},
        {"{\"shapes\":[{\"points\":[[0,0],[1,0],[1,1],[0,1]]},\n{\"points\":[[1,1]],\"shape_type\":\"blob\"}]}",
         "line 2: a shape of the type 'blob'"},
        {"{\"annotations\":[{\"segmentation\":[[0,0,1,0,1,1,0,1],[3,3]],\"bbox\":[0,0,6,4]}]}",
         "line 1: a polygon of 1 point; this shape was left out"},
        {"{\"annotations\":[{\"bbox\":[0,0,1,1]},{\"segmentation\":[[3,3]],\"bbox\":[0,0,6,4]}]}",
         "a polygon of 1 point; this shape was left out"},
        {"[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[2,2]]]}},{\"type\":"
         "\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,1]]]}]", "a polygon of 2 points; this shape was left out"},
        {"<annotations><image name=\"cat.jpg\" width=\"6\" height=\"4\"><polygon points=\"1,1;2,2\"/>"
         "<box xtl=\"0\" ytl=\"0\" xbr=\"1\" ybr=\"1\"/></image></annotations>", "a polygon of 2 points"},
        {"<svg width=\"6\" height=\"4\"><use/><rect width=\"1\" height=\"1\"/></svg>", "<use> says no shape"},
        {"<svg width=\"6\" height=\"4\"><g clip-path=\"url(#a)\"><rect width=\"3\" height=\"1\"/></g>"
         "<rect width=\"1\" height=\"1\"/></svg>", "a <rect> cut by a clip-path, which is not read"},
        {"<svg width=\"6\" height=\"4\"><rect systemLanguage=\"de\" width=\"2\" height=\"1\"/><rect width=\"1\" "
         "height=\"1\"/></svg>", "a <rect> that only some programs show, which is not read"},
        {"<svg width=\"6\" height=\"4\"><rect width=\"2em\" height=\"1\"/><rect width=\"1\" height=\"1\"/></svg>",
         "a length that is no number of px, mm, cm, in, pt, pc or %"},
        {"<svg width=\"6\" height=\"4\"><rect width=\"2\" height=\"2\" transform=\"rotate(9)\" style=\""
         "transform-origin:1px 1px\"/><rect width=\"1\" height=\"1\"/></svg>", "a <rect> with a transform-origin"},
        {"<svg width=\"6\" height=\"4\"><rect width=\"2\" height=\"2\" style=\"translate:1px\"/><rect width=\"1\" "
         "height=\"1\"/></svg>", "moved by a transform in its style"},
        {"<svg width=\"6\" height=\"4\"><foreignObject requiredExtensions=\"x\"/><foreignObject/><rect width=\"1\" "
         "height=\"1\"/></svg>", "<foreignObject> says no shape; this shape was left out"},
        {"<svg width=\"6\" height=\"4\"><svg x=\"1\"><rect width=\"1\" height=\"1\"/></svg><rect width=\"1\" "
         "height=\"1\"/></svg>", "in an <svg> of its own"},
        {"0 0 0 0.16 0 0.16 0.25 0 0.25\n0 1 2 3 4\n", "line 2: a coordinate that is no share"},
        {"0 0.5 0.5 -0.2 0.2\n0 0 0 0.16 0 0.16 0.25 0 0.25\n", "line 1: a box of negative size"},
        {"a 0 0 1 1\n0 0 0 0.16 0 0.16 0.25 0 0.25\n", "line 1: something that is no number"},
        {"{\"shapes\":[{\"points\":[[1,1],[2,NaN],[2,2]]},{\"points\":[[0,0],[1,0],[1,1],[0,1]]}]}",
         "no finite number stands there"},
        {"{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,1]]"
         "]}}\n{\"type\":\"Feature\",\"geometry\":{\"type\":\"Blob\"}}\n", "line 2: 'Blob' is no geometry"},
        {"{\"annotations\":[{\"bbox\":[0,0,1,1]},{\"segmentation\":\"1 2\"}]}", "a \"segmentation\" that is no list"},
        {"{\"k\":{\"filename\":\"cat.jpg\",\"regions\":[{\"shape_attributes\":{\"name\":\"rect\",\"x\":0,\"y\":0,"
         "\"width\":1,\"height\":1}},{\"shape_attributes\":{\"name\":\"cuboid\"}}]}}", "shape 'cuboid'"},
        {"{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_height\":4,"
         "\"value\":{\"x\":0,\"y\":0,\"width\":16,\"height\":25}},{\"value\":{\"x\":1,\"y\":1}}]}]}",
         "a shape without \"original_width\""},
        {"{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_height\":4,"
         "\"value\":{\"x\":0,\"y\":0,\"width\":16,\"height\":25}},{\"original_width\":6,\"original_height\":4,"
         "\"image_rotation\":90,\"value\":{\"x\":1,\"y\":1,\"width\":1,\"height\":1}}]}]}",
         "a shape on a picture that was turned by 90 degrees"},
        {"{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_height\":4,"
         "\"value\":{\"x\":0,\"y\":0,\"width\":16,\"height\":25}},{\"value\":{\"sequence\":[],\"labels\":[\"a\"]}}]}]}",
         "a labelled region that is no polygon"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rows[25];
        failure why = {0};
        notes log = {0};
        ck_assert_msg(paint_shapes(cases[i].file, NULL, false, &log, rows, &why) == EXIT_DONE,
                      "case %zu: %s", i, why.text);
        ck_assert_msg(!strcmp(rows, "#......................."), "case %zu: %s", i, rows);
        ck_assert_msg(log.count == 1 && strstr(log.text[0], cases[i].note), "case %zu: %s", i,
                      log.count ? log.text[0] : "no note");
        notes_free(&log);
        ck_assert_int_eq(paint_shapes(cases[i].file, NULL, true, NULL, rows, &why), EXIT_INPUT);
    }
}

TEST(shapes_beside_the_picture_are_noted)
{
    char rows[25];
    failure why = {0};
    notes log = {0};
    ck_assert_int_eq(paint_shapes("[{\"bbox\":[7,1,3,3]}]", NULL, true, &log, rows, &why), EXIT_DONE);
    ck_assert(log.count == 1 && strstr(log.text[0], "its shapes cover no pixel of the picture"));
    notes_free(&log);
}

TEST(deep_nesting_is_refused)
{
    char file[400] = "{\"a\":";
    failure why = {0};
    char rows[25];
    memset(file + 5, '[', 300);
    ck_assert_int_eq(paint_shapes(file, NULL, true, NULL, rows, &why), EXIT_INPUT);
    ck_assert_ptr_nonnull(strstr(why.text, "more than 64 brackets"));
}

int main(void) { return run_suite((test_suite){.name = "annotation faults"}); }

/* SPDX-License-Identifier: MIT
 *
 * test_annotation_files.c - reading annotation files: which pixels their shapes cover, and which format a name chooses.
 */
#include "annotation_scene.h"

#include "run_suite.h"

TEST(shapes_mean_what_their_formats_say)
{
    static const struct { const char *file, *label, *rows;
    } cases[] = {
        {"{\"shapes\":[{\"label\":\"a\",\"points\":[[1,1],[4,1],[4,3],[1,3]],\"shape_type\":\"polygon\"}]}", NULL,
         "......"
         ".###.."
         ".###.."
         "......"},
        {"{\"shapes\":[{\"points\":[[5,3],[2.4,0.6]],\"shape_type\":\"rectangle\"}],\"imageWidth\":6,\"imageHeight\":"
         "4}",
         NULL,
         "......"
         "..###."
         "..###."
         "......"},
        {"{\"shapes\":[{\"points\":[[3,2],[3,3.5]],\"shape_type\":\"circle\",\"label\":\"b\"}]}", NULL,
         "......"
         "..##.."
         "..##.."
         "......"},
        {"{\"shapes\":[{\"label\":5,\"points\":[[1,1],[3,1],[3,3],[1,3]]},{\"label\":6,\"points\":[[4,1],[5,1],[5,3]"
         ",[4,3]]}]}",
         "5",
         "......"
         ".##..."
         ".##..."
         "......"},
        {"{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"c"
         "oordinates\":[[[1,1],[3,1],[3,3],[1,3]]]},\"properties\":{\"label\":5}},{\"type\":\"Feature\",\"geometry\""
         ":{\"type\":\"Polygon\",\"coordinates\":[[[4,1],[5,1],[5,3],[4,3]]]},\"properties\":{\"label\":6}}]}",
         "5",
         "......"
         ".##..."
         ".##..."
         "......"},
        {"{\"k\":{\"filename\":\"cat.jpg\",\"regions\":[{\"shape_attributes\":{\"name\":\"rect\",\"x\":1,\"y\":1,\"w"
         "idth\":2,\"height\":2},\"region_attributes\":{\"t\":5}},{\"shape_attributes\":{\"name\":\"rect\",\"x\":4,"
         "\"y\":1,\"width\":2,\"height\":2},\"region_attributes\":{\"t\":6}}]}}",
         "5",
         "......"
         ".##..."
         ".##..."
         "......"},
        {"\xef\xbb\xbf{\"shapes\":[{\"label\":\"x\",\"points\":[[0,0],[6,0],[6,1],[0,1]]},"
         "{\"label\":\"y\",\"points\":[[0,3],[2,3],[2,4],[0,4]]}]}",
         "y",
         "......"
         "......"
         "......"
         "##...."},
        {"{\"annotations\":[{\"bbox\":[1,2,3,1]}]}", NULL,
         "......"
         "......"
         ".###.."
         "......"},
        {"{\"annotations\":[{\"segmentation\":[[0,0,2,0,2,2,0,2],[1,1,3,1,3,2,1,2]],\"bbox\":[0,0,6,4]}]}", NULL,
         "##...."
         "###..."
         "......"
         "......"},
        {"{\"size\":[4,6],\"counts\":[4,2,6,1,11]}", NULL,
         ".#.#.."
         ".#...."
         "......"
         "......"},
        {"[{\"image_id\":7,\"segmentation\":{\"counts\":[0,1,23],\"size\":[4,6]}}]", NULL,
         "#....."
         "......"
         "......"
         "......"},
        {"{\"annotations\":[{\"image_id\":1,\"category_id\":3,\"bbox\":[0,0,1,1]},{\"image_id\":2,\"category_id\":3,"
         "\"bbox\":[5,3,1,1]},{\"image_id\":2,\"category_id\":4,\"bbox\":[4,3,1,1]}],\"categories\":[{\"id\":3,"
         "\"name\":\"u\"},{\"id\":4,\"name\":\"v\"}],\"images\":[{\"id\":1,\"file_name\":\"dog.jpg\",\"width\":9,"
         "\"height\":9},{\"id\":2,\"file_name\":\"some/cat.jpg\",\"width\":6,\"height\":4}]}",
         "v",
         "......"
         "......"
         "......"
         "....#."},
        {"{\"image\":{\"image_id\":1,\"width\":6,\"height\":4},\"annotations\":[{\"id\":5,\"bbox\":[0,0,2,1]}]}",
         NULL,
         "##...."
         "......"
         "......"
         "......"},
        {"{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[6,0],[6,4],[0,4],[0,0]],[[1,1],[5,1],[5,3],[1,3],[1,1]]]}",
         NULL,
         "######"
         "#....#"
         "#....#"
         "######"},
        {"{\"type\":\"Feature\",\"geometry\":{\"coordinates\":[[[[0,0],[1,0],[1,1]]],[[[2.2,0],[9,0,7],[9,1],[2.2,1]]"
         "]],"
         "\"type\":\"MultiPolygon\"},\"properties\":{\"classification\":{\"name\":\"q\"}}}",
         "q",
         "#.####"
         "......"
         "......"
         "......"},
        {"{\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Point\",\"coordinates\":[1,1]},{\"type\":"
         "\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,4],[0,4]]]}]}",
         NULL,
         "#....."
         "#....."
         "#....."
         "#....."},
        {"{\"shapes\":[{\"label\":\"a\",\"points\":[[0,0],[6,0],[6,4],[0,4]]},{\"label\":\"_background_\""
         ",\"points\":[[1,1],[3,1],[3,3],[1,3]]}]}",
         NULL, "######" "#..###" "#..###" "######"},
        {"{\"shapes\":[{\"label\":\"_background_\",\"points\":[[1,1],[3,1],[3,3],[1,3]]},{\"label\":\"a\""
         ",\"points\":[[0,0],[6,0],[6,4],[0,4]]}]}",
         NULL, "######" "######" "######" "######"},
        {"{\"shapes\":[{\"label\":\"a\",\"points\":[[0,0],[6,0],[6,4],[0,4]]},{\"label\":\"__ignore__\","
         "\"points\":[[1,1],[3,1],[3,3],[1,3]]}]}",
         NULL, "######" "#??###" "#??###" "######"},
        {"{\"shapes\":[{\"label\":\"a\",\"points\":[[2,1],[4,2]],\"shape_type\":\"mask\",\"mask\":\"iVBOR"
         "w0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAEElEQVR42mNg+M/I8J+BAQAJBAIAKf7D/gAAAABJRU5ErkJggg=="
         "\"}]}",
         NULL, "......" "...##." "..#..." "......"},
        {"{\"shapes\":[{\"label\":\"a\",\"points\":[[4,2],[2,1]],\"shape_type\":\"mask\",\"mask\":\"iVBOR"
         "w0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAEElEQVR42mNg+M/I8J+BAQAJBAIAKf7D/gAAAABJRU5ErkJggg=="
         "\"}]}",
         NULL, "......" "...##." "..#..." "......"},
        {"[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,4],["
         "0,4],[0,0]]]},\"properties\":{\"classification\":{\"name\":\"q\"}}}]",
         NULL, "##...." "##...." "##...." "##...."},
        {"{\"images\":[{\"id\":2,\"file_name\":\"a/cat.jpg\"},{\"id\":1,\"file_name\":\"dog.jpg\"}],\"ann"
         "otations\":[{\"image_id\":1,\"bbox\":[0,0,1,1]},{\"image_id\":2,\"bbox\":[5,3,1,1]}]}",
         NULL, "......" "......" "......" ".....#"},
        {"{\"images\":[{\"id\":\"x\",\"file_name\":\"dog.jpg\"},{\"id\":\"y\",\"coco_url\":\"http://a.b/c"
         "/cat.jpg?s=1\"}],\"annotations\":[{\"image_id\":\"x\",\"bbox\":[0,0,1,1]},{\"image_id\":\"y\","
         "\"bbox\":[5,0,1,1]}]}",
         NULL, ".....#" "......" "......" "......"},
        {"{\"images\":[{\"id\":4,\"file_name\":\"cat.jpg\"},{\"id\":5,\"file_name\":\"dog.jpg\"},{\"id\":"
         "6,\"file_name\":\"cat.jpg\"}],\"annotations\":[{\"image_id\":4,\"bbox\":[0,0,1,1]},{\"image_id"
         "\":5,\"bbox\":[2,0,1,1]},{\"image_id\":6,\"bbox\":[5,0,1,1]}]}",
         NULL, "#....#" "......" "......" "......"},
        {"[{\"image_id\":\"cat\",\"bbox\":[0,0,1,1]},{\"image_id\":\"dog\",\"bbox\":[2,0,1,1]}]",
         NULL, "#....." "......" "......" "......"},
        {"{\"annotations\":[{\"segmentation\":[0,0,2,0,2,2,0,2]}]}",
         NULL, "##...." "##...." "......" "......"},
        {"[{\"id\":1,\"data\":{\"image\":\"/data/upload/1/0123abcd-cat.jpg\"},\"annotations\":[{\"result"
         "\":[{\"original_width\":6,\"original_height\":4,\"value\":{\"points\":[[50,0],[100,0],[100,50],"
         "[50,50]],\"closed\":true,\"polygonlabels\":[\"a\"]}}]}]},{\"id\":2,\"data\":{\"image\":\"/data/"
         "upload/1/0123abcd-dog.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_hei"
         "ght\":4,\"value\":{\"x\":0,\"y\":0,\"width\":100,\"height\":100}}]}]}]",
         "a", "...###" "...###" "......" "......"},
        {"[{\"id\":1,\"data\":{\"image\":\"/data/upload/1/0123abcd-cat.jpg\"},\"annotations\":[{\"result"
         "\":[{\"original_width\":6,\"original_height\":4,\"value\":{\"format\":\"rle\",\"rle\":[0,0,0,96"
         ",57,27,254,3,0,192,255,248,76,3,5,255,226,240,12,7,254],\"brushlabels\":[\"a\"]}}]}]},{\"id\":2"
         ",\"data\":{\"image\":\"/data/upload/1/0123abcd-dog.jpg\"},\"annotations\":[{\"result\":[{\"orig"
         "inal_width\":6,\"original_height\":4,\"value\":{\"x\":0,\"y\":0,\"width\":100,\"height\":100}}]"
         "}]}]",
         NULL, ".##..." "..###." "......" ".....#"},
        {"[{\"id\":1,\"data\":{\"image\":\"/data/upload/1/0123abcd-cat.jpg\"},\"annotations\":[{\"result"
         "\":[{\"original_width\":6,\"original_height\":4,\"value\":{\"x\":50,\"y\":50,\"width\":50,\"hei"
         "ght\":25,\"rotation\":0,\"rectanglelabels\":[\"a\"]}}]}]},{\"id\":2,\"data\":{\"image\":\"/data"
         "/upload/1/0123abcd-dog.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_he"
         "ight\":4,\"value\":{\"x\":0,\"y\":0,\"width\":100,\"height\":100}}]}]}]",
         NULL, "......" "......" "...###" "......"},
        {"[{\"image\":\"/data/local-files/?d=x/cat.jpg\",\"id\":3,\"annotator\":1,\"label\":[{\"x\":50,\""
         "y\":50,\"radiusX\":33,\"radiusY\":50,\"ellipselabels\":[\"a\"],\"original_width\":6,\"original_"
         "height\":4}]}]",
         NULL, "..##.." ".####." ".####." "..##.."},
        {"{\"cat.jpg99\":{\"filename\":\"cat.jpg\",\"size\":99,\"regions\":[{\"shape_attributes\":{\"name"
         "\":\"polygon\",\"all_points_x\":[0,2,2,0],\"all_points_y\":[1,1,3,3]},\"region_attributes\":{\""
         "k\":\"a\"}},{\"shape_attributes\":{\"name\":\"rect\",\"x\":4,\"y\":0,\"width\":2,\"height\":1},"
         "\"region_attributes\":{\"k\":\"b\"}}]},\"dog.jpg9\":{\"filename\":\"dog.jpg\",\"regions\":[{\"s"
         "hape_attributes\":{\"name\":\"rect\",\"x\":0,\"y\":0,\"width\":6,\"height\":4},\"region_attribu"
         "tes\":{}}]}}",
         NULL, "....##" "##...." "##...." "......"},
        {"{\"cat.jpg99\":{\"filename\":\"cat.jpg\",\"size\":99,\"regions\":[{\"shape_attributes\":{\"name"
         "\":\"polygon\",\"all_points_x\":[0,2,2,0],\"all_points_y\":[1,1,3,3]},\"region_attributes\":{\""
         "k\":\"a\"}},{\"shape_attributes\":{\"name\":\"rect\",\"x\":4,\"y\":0,\"width\":2,\"height\":1},"
         "\"region_attributes\":{\"k\":\"b\"}}]},\"dog.jpg9\":{\"filename\":\"dog.jpg\",\"regions\":[{\"s"
         "hape_attributes\":{\"name\":\"rect\",\"x\":0,\"y\":0,\"width\":6,\"height\":4},\"region_attribu"
         "tes\":{}}]}}",
         "b", "....##" "......" "......" "......"},
        {"{\"_via_settings\":{},\"_via_img_metadata\":{\"k\":{\"filename\":\"cat.jpg\",\"regions\":{\"0\""
         ":{\"shape_attributes\":{\"name\":\"circle\",\"cx\":3,\"cy\":2,\"r\":1.5},\"region_attributes\":"
         "{}}}}}}",
         NULL, "......" "..##.." "..##.." "......"},
        {"0 0.5 0.5 0.333333 0.5\n1 0 0 0.3333 0 0.3333 0.25 0 0.25\n",
         NULL, "##...." "..##.." "..##.." "......"},
        {"0 0.5 0.5 0.333333 0.5\n1 0 0 0.3333 0 0.3333 0.25 0 0.25\n",
         "1", "##...." "......" "......" "......"},
        {"<?xml version=\"1.0\"?><annotations><version>1.1</version><image id=\"0\" name=\"dog.jpg\" widt"
         "h=\"9\" height=\"9\"/><image id=\"1\" name=\"x/cat.jpg\" width=\"6\" height=\"4\"><polygon labe"
         "l=\"background\" points=\"1,1;3,1;3,3;1,3\" z_order=\"1\"/><polygon label=\"a\" points=\"0,0;6,"
         "0;6,4;0,4\" z_order=\"0\"/></image></annotations>",
         NULL, "######" "#..###" "#..###" "######"},
        {"<?xml version=\"1.0\"?><annotations><version>1.1</version><image id=\"0\" name=\"dog.jpg\" widt"
         "h=\"9\" height=\"9\"/><image id=\"1\" name=\"x/cat.jpg\" width=\"6\" height=\"4\"><mask label="
         "\"a\" rle=\"1, 2, 2, 1\" left=\"2\" top=\"1\" width=\"3\" height=\"2\"/></image></annotations>",
         NULL, "......" "...##." "....#." "......"},
        {"<?xml version=\"1.0\"?><annotations><version>1.1</version><image id=\"0\" name=\"dog.jpg\" widt"
         "h=\"9\" height=\"9\"/><image id=\"1\" name=\"x/cat.jpg\" width=\"6\" height=\"4\"><box label=\""
         "a\" xtl=\"1\" ytl=\"1\" xbr=\"3\" ybr=\"2\"/><ellipse label=\"b\" cx=\"5\" cy=\"3\" rx=\"1\" ry"
         "=\"1\"/></image></annotations>",
         "a", "......" ".##..." "......" "......"},
        {"<annotation><filename>cat.jpg</filename><size><width>6</width><height>4</height></size><object>"
         "<name>a</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>2</xmax><ymax>3</ymax></bndbox></object"
         "></annotation>",
         NULL, "......" "##...." "##...." "......"},
        {"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"6\" height=\"4\"><path fill-rule=\"evenodd\" "
         "d=\"M0 0H6V4H0ZM1 1h2v2h-2z\"/></svg>",
         NULL, "######" "#..###" "#..###" "######"},
        {"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"6\" height=\"4\"><path d=\"M0 0H6V4H0ZM1 1h2v"
         "2h-2z\"/></svg>",
         NULL, "######" "######" "######" "######"},
        {"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"6\" height=\"4\"><path d=\"M0 0H6V4H0ZM1 1v2h"
         "2v-2z\"/></svg>",
         NULL, "######" "#..###" "#..###" "######"},
        {"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"6\" height=\"4\"><g transform=\"translate(2 1"
         ")\"><rect id=\"a\" width=\"1\" height=\"2\" transform=\"scale(2,1)\"/><circle class=\"b\" r=\"9"
         "\"/></g></svg>",
         "a", "......" "..##.." "..##.." "......"},
        {"<svg viewBox=\"0 0 60 40\"><polygon points=\"0,0 20,0 20,40 0,40\"/><defs><rect width=\"60\" he"
         "ight=\"40\"/></defs></svg>",
         NULL, "##...." "##...." "##...." "##...."},
        {"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"6\" height=\"4\"><path d=\"M1 2a2 2 0 1 0 4 0"
         "a2 2 0 1 0 -4 0\"/></svg>",
         NULL, "..##.." ".####." ".####." "..##.."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rows[25];
        failure why = {0};
        const int status = paint_shapes(cases[i].file, cases[i].label, true, NULL, rows, &why);
        ck_assert_msg(status == EXIT_DONE, "case %zu: %s", i, why.text);
        ck_assert_msg(!strcmp(rows, cases[i].rows), "case %zu: %s", i, rows);
    }
}

/* Checks that each file gives one square of two by two pixels at 1, 1. */
static void check_cases(const char *const *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char rows[25];
        failure why = {0};
        ck_assert_msg(paint_shapes(cases[i], NULL, true, NULL, rows, &why) == EXIT_DONE, "case %zu: %s", i, why.text);
        ck_assert_msg(!strcmp(rows, "......" ".##..." ".##..." "......"), "case %zu: %s", i, rows);
    }
}

/* A drawing is read as it looks: attributes, styles and rules decide what is visible, and lengths have units. */
TEST(drawings_are_read_as_they_look)
{
    static const char *const cases[] = {
        "<svg width=\"6\" height=\"4\"><style>.a{fill:none}#b,rect{fill: WHITE}#c{fill:red}</style><rect clas"
         "s=\"a\" width=\"9\" height=\"9\"/><rect id=\"c\" x=\"1\" y=\"1\" width=\"2\" height=\"2\"/></svg>",
        "<svg width=\"6\" height=\"4\"><rect style=\"fill:none !important\" fill=\"red\" width=\"9\" height="
         "\"9\"/><path fill=\"red\" d=\"M1 1h2v2h-2z\"/></svg>",
        "<svg width=\"6\" height=\"4\"><g opacity=\"0.0\"><rect width=\"9\" height=\"9\"/></g><g visibility="
         "\"hidden\"><rect width=\"9\" height=\"9\"/><rect visibility=\"visible\" x=\"1\" y=\"1\" width=\"2\" "
         "height=\"2\"/></g></svg>",
        "<svg width=\"6\" height=\"4\"><g fill-opacity=\"0\"><rect fill=\"red\" width=\"9\" height=\"9\"/></g"
         "><rect width=\"9\" height=\"9\" fill=\"rgb(100%, 100% 100%)\"/><rect fill=\"#FF000080\" x=\"1\" y=\""
         "1\" width=\"2\" height=\"2\"/></svg>",
        "<!DOCTYPE svg PUBLIC \"x\" [\n<!ENTITY ns 'http://a'>\n<!ENTITY none \"fill:none\">]><svg width=\"6\" "
        "height=\"4\" xmlns:x=\"&ns;\"><rect style=\"&none;\" width=\"9\" height=\"9\"/><rect x=\"1\" y=\"1\" "
        "width=\"2\" height=\"2\"/></svg>",
        "<svg width=\"6\" height=\"4\"><rect x=\"0.75pt\" y=\"25%\" width=\"2px\" height=\"50%\"/></svg>",
        "<svg width=\"6mm\" height=\"4mm\" viewBox=\"0 0 60 40\" fill=\"none\"><rect width=\"60\" height=\"40"
         "\"/><rect fill=\"red\" x=\"10\" y=\"10\" width=\"20\" height=\"20\"/></svg>",
        "<svg width=\"6\" height=\"4\" viewBox=\"0 0 12 4\" preserveAspectRatio=\"none\"><rect x=\"2\" y=\"1"
         "\" width=\"4\" height=\"2\"/></svg>",
        "<svg width=\"6\" height=\"4\"><flowRoot><flowRegion><rect width=\"9\" height=\"9\"/></flowRegion></flowRoot>"
        "<rect x=\"9\" width=\"9\" height=\"9\" style=\"x:1px; y: 1; width:2px; height:2\"/></svg>",
        "<svg width=\"6\" height=\"4\"><switch><rect x=\"1\" y=\"1\" width=\"2\" height=\"2\"/><rect width=\"9\" "
        "height=\"9\"/></switch></svg>",
        "<svg width=\"6\" height=\"4\" color=\"#fff\"><rect fill=\"red\" x=\"1\" y=\"1\" width=\"4\" height=\"2\"/>"
        "<rect fill=\"currentColor\" x=\"3\" width=\"9\" height=\"9\"/></svg>",
        "<svg width=\"6\" height=\"4\"><rect fill=\"red\" x=\"1\" y=\"1\" width=\"4\" height=\"2\"/><rect "
        "fill=\"hsl(20deg, 50%, 100%)\" x=\"3\" width=\"9\" height=\"9\"/></svg>",
        "<svg width=\"6\" height=\"4\"><g fill=\"none\"><rect fill=\"nocolor\" width=\"9\" height=\"9\"/><rect "
        "fill=\"Teal\" x=\"1\" y=\"1\" width=\"2\" height=\"2\"/></g></svg>",
        "<q:svg xmlns:q=\"http://www.w3.org/2000/svg\" xmlns:f=\"http://f\" width=\"6\" height=\"4\"><q:g><q:rect "
        "x=\"1\" y=\"1\" width=\"2\" height=\"2\"/></q:g><f:rect width=\"9\" height=\"9\"/></q:svg>",
        "<svg width=\"6\" height=\"4\"><style media=\"print\">rect{fill:none}</style><rect xmlns=\"http://f\" "
        "width=\"9\" height=\"9\"/><rect x=\"1\" y=\"1\" width=\"2\" height=\"2\" rx=\"auto\" ry=\"0\"/></svg>",
    };
    check_cases(cases, sizeof cases / sizeof *cases);
}

/* Files as other tools write them: with repeated or empty entries, or with entries beside the shapes. */
TEST(ways_of_other_tools)
{
    static const char *const cases[] = {
        "{\"annotations\":[{\"segmentation\":[[]],\"bbox\":[1,1,2,2]}]}",
        "{\"annotations\":[{\"segmentation\":null,\"bbox\":[1,1,2,2]}]}",
        "{\"images\":[{\"id\":1,\"file_name\":\"cat.jpg\"},{\"id\":2,\"file_name\":\"dog.jpg\"}],\"annotation"
         "s\":[{\"image_id\":\"1\",\"bbox\":[1,1,2,2]},{\"image_id\":\"2\",\"bbox\":[0,0,9,9]}]}",
        "{\"images\":[{\"id\":\"0a\",\"file_name\":\"cat.jpg\"},{\"id\":7,\"file_name\":\"x\\\\cat.png\"}],\""
         "annotations\":[{\"image_id\":\"0a\",\"bbox\":[1,1,2,2]},{\"image_id\":7,\"bbox\":[0,0,9,9]}]}",
        "{\"shapes\":[{\"points\":[[1,1],[2,2]],\"shape_type\":\"mask\",\"mask\":\"data:image/png;base64,iVBO"
         "Rw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNgZGRgZAQAABIABVUZwSwAAAAASUVORK5CYII=\"}]}",
        "{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_hei"
         "ght\":4,\"type\":\"bitmask\",\"value\":{\"bitmasklabels\":[\"a\"],\"imageDataURL\":\"data:image/png;"
         "base64,iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAAAAACIbxGfAAAAEUlEQVR4nGNggIL//5EpMAAAO+AD/RPBl8kAAAAASUVOR"
         "K5CYII=\"}}]}]}",
        "<annotation><filename>cat.jpg</filename><object><name>a</name><deleted>1</deleted><polygon><pt><x>0<"
         "/x><y>0</y></pt><pt><x>9</x><y>0</y></pt><pt><x>9</x><y>9</y></pt></polygon></object><object><name>b"
         "</name><deleted>0</deleted><polygon><pt><x>1</x><y>1</y></pt><pt><x>3</x><y>1</y></pt><pt><x>3</x><y"
         ">3</y></pt><pt><x>1</x><y>3</y></pt></polygon></object><imagesize><nrows>4</nrows><ncols>6</ncols></"
         "imagesize></annotation>",
        "<annotation><object><name>a</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></"
         "bndbox><polygon><x1>1</x1><y1>1</y1><x2>3</x2><y2>1</y2><x3>3</x3><y3>3</y3><x4>1</x4><y4>3</y4></po"
         "lygon></object></annotation>",
        "<annotation><object><name>a</name><bndbox><xmin>3</xmin><ymin> 3.0\n</ymin><xmax>2</xmax><ymax>2</ymax></bn"
         "dbox></object></annotation>",
        "<annotations><image name=\"cat.jpg\" width=\"6\" height=\"4\"><polygon points=\" 1,1 ; 3,1; 3,3;1,3; \"/></ima"
         "ge></annotations>",
        "{\"shapes\":[{\"points\":[[2,0.4],[3.6,2],[2,3.6],[0.4,2]],\"shape_type\":\"rectangle\"}]}",
        "{\"annotations\":[{\"segmentation\":{},\"bbox\":[1,1,2,2],\"area\":NaN,\"score\":-Infinity}]}",
        "{\"images\":[{\"id\":9007199254740993,\"file_name\":\"cat.jpg\"},{\"id\":9007199254740992,\"file_na"
         "me\":\"dog.jpg\"}],\"annotations\":[{\"image_id\":9007199254740992,\"bbox\":[0,0,9,9]},{\"image_id\":"
         "\"9007199254740993\",\"bbox\":[1,1,2,2]}]}",
        "{\"images\":[{\"id\":1,\"file_name\":\"c%61t.jpg\"},{\"id\":2,\"file_name\":\"dog.jpg\"}],\"annotati"
         "ons\":[{\"image_id\":1,\"bbox\":[1,1,2,2]},{\"image_id\":2,\"bbox\":[0,0,9,9]}]}",
        "[{\"size\":[4,6],\"counts\":[5,2,2,2,13]}]",
        "[{\"size\":[4,6],\"counts\":[5,2,17]},{\"size\":[4,6],\"counts\":[9,2,13]}]",
        "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1,1],[3,1],[3,2],[1,2]]"
         "]}}\n{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[1,2],[3,2],[3,3],[1,"
         "3]]]}}\n",
        "\x1e{\"type\":\"Feature\",\"geometry\":null}\n\x1e{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polyg"
         "on\",\"coordinates\":[[[1,1],[3,1],[3,3],[1,3]]]}}\n",
        "0 0.33333 0.5 0.33333 0.5 0.3 0.5 2 0 0 0\n",
        "\xef\xbb\xbf" "0 0.33333 0.5 0.33333 0.5 7\n",
        "0 0.33333 0.5 0.33333 0.5 0.93 12\n",
        "0 0.16 0.25 0.5 0.25 0.5 0.75 0.16 0.75 0.93 12\n",
        "0 0.16 0.25 0.5 0.25 0.5 0.75 0.16 0.75 2\n",
        "0 0.33333 0.5 0.33333 0.5 0.3 0.5 1 0.4 0.6 1 0 0 0\n",
        "{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_height\":"
         "4,\"value\":{\"x\":16.6667,\"y\":25,\"width\":66.6667,\"height\":50,\"rectanglelabels\":[\"a\"]},\"id\":\""
         "a\"},{\"original_width\":6,\"original_height\":4,\"value\":{\"x\":50,\"y\":25,\"width\":33.3333,\"height\""
         ":50,\"rectanglelabels\":[\"background\"]},\"id\":\"b\"},{\"original_width\":6,\"original_height\":4,\"valu"
         "e\":{\"x\":50,\"y\":25,\"width\":33.3333,\"height\":50,\"choices\":[\"x\"]},\"id\":\"b\",\"type\":\"choice"
         "s\"},{\"type\":\"relation\",\"from_id\":\"a\",\"to_id\":\"b\",\"labels\":[\"x\"]}]}]}",
        "{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_height\":"
         "4,\"value\":{\"x\":16.6667,\"y\":25,\"width\":66.6667,\"height\":50,\"rectanglelabels\":[\"a\"]},\"id\":\""
         "a\"},{\"original_width\":6,\"original_height\":4,\"value\":{\"x\":50,\"y\":25,\"width\":33.3333,\"height\""
         ":50,\"labels\":[\"background\"]},\"id\":\"b\"},{\"original_width\":6,\"original_height\":4,\"value\":{\"x"
         "\":50,\"y\":25,\"width\":33.3333,\"height\":50},\"id\":\"b\",\"type\":\"rectangle\"}]}]}",
        "{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_height\":"
         "4,\"value\":{\"bitmasklabels\":[\"a\"],\"imageDataURL\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAA"
         "YAAAAECAYAAACtBE5DAAAAHUlEQVR42mP8//8/AzbABKX/QzGGBAZggdKM6BIAqJ4FBjlbsjcAAAAASUVORK5CYII=\"}}]}]}",
        "{\"data\":{\"image\":\"cat.jpg\"},\"annotations\":[{\"result\":[{\"original_width\":6,\"original_height\":"
         "4,\"value\":{\"bitmasklabels\":[\"a\"],\"imageDataURL\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAA"
         "YAAAAECAYAAACtBE5DAAAAE0lEQVR42mNgIAD+QzEcMDGQCgCCRgIBbnPYNgAAAABJRU5ErkJggg==\"}}]}]}",
        "{\"d\":{\"filename\":\"dog.jpg\"},\"k\":{\"filename\":\"cat.jpg\",\"regions\":[{\"shape_attributes\":{\"na"
         "me\":\"rect\",\"x\":1,\"y\":1,\"width\":2,\"height\":2}}]}}",
        "0 0.33333 0.375 0.33333 0.25 0.93 1\n0 0.33333 0.625 0.33333 0.25 0.9 2\n",
        "0 0.16 0.25 0.5 0.25 0.5 0.75 0.16 0.75 0.93 1\n1 0 0 0 0 0.9 3\n",
        "0 0.33333 0.375 0.33333 0.25\r0 0.33333 0.625 0.33333 0.25\r",
    };
    check_cases(cases, sizeof cases / sizeof *cases);
}

TEST(names_choose_formats)
{
    static const struct { const char *path, *as, *name; } cases[] = {
        {"a.svg", NULL, "svg"}, {"a.GeoJSON", NULL, "geojson"}, {"b/a.coco.json", NULL, "coco"},
        {"a.labelme.json", NULL, "labelme"}, {"a.rle.json", NULL, "coco-rle"}, {"a.json", "coco-rle", "coco-rle"},
        {"-", "labelme", "labelme"}, {"a.png", NULL, NULL}, {".svg", NULL, NULL}, {"-", NULL, NULL}};
    const annotation_format *format;
    failure why = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(annotation_choose(cases[i].path, cases[i].as, &format, &why), EXIT_DONE);
        ck_assert_msg(cases[i].name ? format && !strcmp(format->name, cases[i].name) : !format, "%s", cases[i].path);
    }
    ck_assert_int_eq(annotation_choose("a.json", NULL, &format, &why), EXIT_USAGE);
    ck_assert_ptr_nonnull(strstr(why.text, "--format labelme"));
}

int main(void) { return run_suite((test_suite){.name = "annotation files"}); }

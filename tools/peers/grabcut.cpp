// SPDX-License-Identifier: MIT
//
// grabcut.cpp - runs OpenCV's grabCut (Debian package libopencv-dev) as a whole program, for end-to-end times. It reads
// a photo and a trimap (or `box:X,Y,W,H` instead), runs ITERATIONS (default 1) with one thread, and writes the mask.
// `--convert PHOTO JPEG` only writes a photo as a JPEG, for tools/compare-grabcut.
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "peer.h"

int main(int argc, char **argv)
{
    if (argc == 4 && !std::strcmp(argv[1], "--convert")) {
        const std::vector<int> quality = {cv::IMWRITE_JPEG_QUALITY, 95};
        if (!cv::imwrite(argv[3], cv::imread(argv[2], cv::IMREAD_UNCHANGED), quality))
            peer_refuse(argv[3], "cannot be written");
        return 0;
    }
    if (argc < 4) peer_refuse(argv[0], "usage: grabcut PHOTO SEEDS MASK [ITERATIONS]");
    const double start = peer_ms();
    cv::setNumThreads(1);
    const cv::Mat photo = cv::imread(argv[1], cv::IMREAD_COLOR);
    cv::Rect box;
    const bool boxed = std::sscanf(argv[2], "box:%d,%d,%d,%d", &box.x, &box.y, &box.width, &box.height) == 4;
    const cv::Mat seeds = boxed ? cv::Mat(photo.size(), CV_8UC1, cv::Scalar(128))
                                : cv::imread(argv[2], cv::IMREAD_GRAYSCALE);
    if (photo.empty() || seeds.empty() || photo.size() != seeds.size())
        peer_refuse(argv[1], "photo and seeds cannot be read, or differ in size");
    cv::Mat labels(photo.size(), CV_8UC1, cv::Scalar(cv::GC_PR_BGD)), background, foreground;
    labels.setTo(cv::GC_BGD, seeds <= 31);
    labels.setTo(cv::GC_FGD, seeds >= 224);
    const double read = peer_ms();
    cv::grabCut(photo, labels, box, background, foreground, argc > 4 ? std::atoi(argv[4]) : 1,
                boxed ? cv::GC_INIT_WITH_RECT : cv::GC_INIT_WITH_MASK);
    const double cut = peer_ms();
    cv::Mat mask = (labels & 1) * 255;
    if (!cv::imwrite(argv[3], mask)) peer_refuse(argv[3], "cannot be written");
    std::printf("grabcut read_ms=%.3f cut_ms=%.3f write_ms=%.3f total_ms=%.3f\n", read - start, cut - read,
                peer_ms() - cut, peer_ms() - start);
    return 0;
}

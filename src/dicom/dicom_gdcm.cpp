// SPDX-License-Identifier: MIT
//
// dicom_gdcm.cpp - tilecut-dicom.so: reads DICOM files by gdcm, see dicom_talk.h. gdcm knows files, transfer syntaxes
// and sequences; what slices mean together is found by the program (src/cli/dicom).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <set>
#include <string>
#include <vector>

#include <gdcmAttribute.h>
#include <gdcmImageChangePhotometricInterpretation.h>
#include <gdcmImageReader.h>
#include <gdcmMediaStorage.h>
#include <gdcmReader.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmSequenceOfItems.h>

#include "dicom_talk.h"

namespace {

using gdcm::DataSet;
using gdcm::Tag;

const Tag pixels_tag(0x7fe0, 0x0010);

struct refusal {
    dicom_answer answer;
    std::string text;
};

// ---- Elements -----------------------------------------------------------------------------------

// The text of an element without blanks at its end; "" where there is none.
std::string text_of(const DataSet &set, const Tag &tag)
{
    if (!set.FindDataElement(tag)) return "";
    const gdcm::ByteValue *const value = set.GetDataElement(tag).GetByteValue();
    if (!value || !value->GetPointer()) return "";
    std::string text(value->GetPointer(), value->GetLength());
    while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
    return text;
}

// Numbers that are written as text, with backslashes between them.
std::vector<double> numbers_of(const DataSet &set, const Tag &tag)
{
    std::vector<double> out;
    const std::string text = text_of(set, tag);
    for (const char *at = text.c_str(); *at;) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || !std::isfinite(value)) return {};
        out.push_back(value);
        while (*end == ' ') end++;
        if (*end && *end != '\\') return {};
        at = *end ? end + 1 : end;
    }
    return out;
}

double number_of(const DataSet &set, const Tag &tag, double otherwise)
{
    const std::vector<double> all = numbers_of(set, tag);
    return all.empty() ? otherwise : all[0];
}

// A whole number of 16 bits.
int short_of(const DataSet &set, const Tag &tag, int otherwise)
{
    if (!set.FindDataElement(tag)) return otherwise;
    const gdcm::ByteValue *const value = set.GetDataElement(tag).GetByteValue();
    uint16_t number;
    if (!value || value->GetLength() < sizeof number) return otherwise;
    memcpy(&number, value->GetPointer(), sizeof number);
    return number;
}

// Item number `index` of a sequence; NULL: there is none.
const DataSet *item_of(const DataSet &set, const Tag &tag, size_t index)
{
    if (!set.FindDataElement(tag)) return nullptr;
    static std::vector<gdcm::SmartPointer<gdcm::SequenceOfItems>> kept; // what items belong to
    const gdcm::SmartPointer<gdcm::SequenceOfItems> all = set.GetDataElement(tag).GetValueAsSQ();
    if (!all || index >= all->GetNumberOfItems()) return nullptr;
    if (kept.size() > 64) kept.erase(kept.begin(), kept.begin() + 32);
    kept.push_back(all);
    return &all->GetItem(index + 1).GetNestedDataSet();
}

template <size_t size> void copy(char (&to)[size], const std::string &from)
{
    snprintf(to, size, "%s", from.c_str());
}

// ---- The header ---------------------------------------------------------------------------------

void take_format(const gdcm::File &file, dicom_facts &f)
{
    const DataSet &set = file.GetDataSet();
    const std::string colors = text_of(set, Tag(0x0028, 0x0004));
    const double frames = number_of(set, Tag(0x0028, 0x0008), 1);
    f.rows = short_of(set, Tag(0x0028, 0x0010), 0), f.columns = short_of(set, Tag(0x0028, 0x0011), 0);
    if (!f.rows && !f.columns) throw refusal{DICOM_NO_IMAGE, ""};
    const int bits = short_of(set, Tag(0x0028, 0x0100), 0);
    f.frames = frames >= 1 && frames < 1e6 ? (int32_t)frames : 1;
    f.channels = short_of(set, Tag(0x0028, 0x0002), 1);
    f.bytes = bits / 8;
    f.stored = short_of(set, Tag(0x0028, 0x0101), bits);
    f.is_signed = short_of(set, Tag(0x0028, 0x0103), 0) == 1;
    f.inverted = colors == "MONOCHROME1";
    f.is_rgb = colors == "RGB";
    f.tabled = set.FindDataElement(Tag(0x0028, 0x3000));
    const bool packed = file.GetHeader().GetDataSetTransferSyntax().IsEncapsulated();
    if (colors == "YBR_FULL_422" && !packed) throw refusal{DICOM_UNSUPPORTED, "its colours are YBR_FULL_422"};
    if (colors == "PALETTE COLOR") throw refusal{DICOM_UNSUPPORTED, "its values are numbers in a palette of colours"};
    if (bits != 8 && bits != 16 && bits != 32)
        throw refusal{DICOM_UNSUPPORTED, "its values have " + std::to_string(bits) + " bits"};
    if (short_of(set, Tag(0x0028, 0x0102), f.stored - 1) != f.stored - 1)
        throw refusal{DICOM_UNSUPPORTED, "its values are not in the lowest bits"};
    if (f.stored < 1 || f.stored > bits || f.columns < 1 || f.rows < 1 ||
        (f.channels != 1 && f.channels != 3))
        throw refusal{DICOM_DAMAGED, "size, bits or channels of its image make no sense"};
    f.frame_bytes = (uint64_t)f.columns * (uint64_t)f.rows * (uint64_t)f.channels * (uint64_t)f.bytes;
}

// Between columns and between rows: the header has rows first.
void take_spacing(const DataSet &set, const Tag &tag, dicom_facts &f)
{
    const std::vector<double> s = numbers_of(set, tag);
    if (f.spacing[0] > 0 || s.size() != 2 || !(s[0] > 1e-9 && s[1] > 1e-9 && s[0] < 1e9 && s[1] < 1e9)) return;
    f.spacing[0] = s[1], f.spacing[1] = s[0];
}

void take_measures(const DataSet &set, dicom_facts &f)
{
    take_spacing(set, Tag(0x0028, 0x0030), f);
    if (!(f.between > 0)) f.between = std::fabs(number_of(set, Tag(0x0018, 0x0088), 0));
    if (!(f.between > 0)) f.between = std::fabs(number_of(set, Tag(0x0018, 0x0050), 0));
}

// ---- Frames -------------------------------------------------------------------------------------

// What `set` says; it may be the whole file, or an item of a sequence.
struct frame_facts {
    dicom_frame *out;
    bool position, direction;

    void take_position(const DataSet &set)
    {
        const std::vector<double> p = numbers_of(set, Tag(0x0020, 0x0032));
        if (p.size() != 3) return;
        for (int k = 0; k < 3; k++) out->position[k] = p[(size_t)k];
        position = true;
    }
    void take_direction(const DataSet &set)
    {
        const std::vector<double> d = numbers_of(set, Tag(0x0020, 0x0037));
        if (d.size() != 6) return;
        for (int k = 0; k < 6; k++) out->direction[k] = d[(size_t)k];
        direction = true;
    }
    void take_scale(const DataSet &set)
    {
        out->slope = number_of(set, Tag(0x0028, 0x1053), out->slope);
        out->offset = number_of(set, Tag(0x0028, 0x1052), out->offset);
    }
    // Of a functional group: one frame's, or what all share.
    void take_group(const DataSet &group, dicom_facts &f)
    {
        if (const DataSet *const s = item_of(group, Tag(0x0020, 0x9113), 0)) take_position(*s);
        if (const DataSet *const s = item_of(group, Tag(0x0020, 0x9116), 0)) take_direction(*s);
        if (const DataSet *const s = item_of(group, Tag(0x0028, 0x9145), 0)) take_scale(*s);
        if (const DataSet *const s = item_of(group, Tag(0x0028, 0x9110), 0)) take_measures(*s, f);
        const DataSet *const content = item_of(group, Tag(0x0020, 0x9111), 0);
        if (!content || !content->FindDataElement(Tag(0x0020, 0x9128))) return;
        const gdcm::ByteValue *const moment = content->GetDataElement(Tag(0x0020, 0x9128)).GetByteValue();
        if (moment && moment->GetLength() == 4) memcpy(&out->moment, moment->GetPointer(), 4);
    }
};

// Offsets of the frames of a dose along the normal of the first.
void shift_frames(const DataSet &set, std::vector<dicom_frame> &all)
{
    const std::vector<double> offsets = numbers_of(set, Tag(0x3004, 0x000c));
    if (offsets.size() != all.size()) {
        if (all.size() > 1) for (dicom_frame &f : all) f.placed = 0; // all would lie at one place
        return;
    }
    for (size_t i = 0; i < all.size(); i++) {
        const double *const d = all[i].direction;
        const double normal[3] = {d[1] * d[5] - d[2] * d[4], d[2] * d[3] - d[0] * d[5], d[0] * d[4] - d[1] * d[3]};
        for (int k = 0; k < 3; k++) all[i].position[k] += (offsets[i] - offsets[0]) * normal[k];
    }
}

void take_frames(const gdcm::File &file, dicom_facts &f, std::vector<dicom_frame> &all)
{
    const DataSet &set = file.GetDataSet();
    const DataSet *const shared = item_of(set, Tag(0x5200, 0x9229), 0);
    const bool grouped = set.FindDataElement(Tag(0x5200, 0x9230));
    const double dose = number_of(set, Tag(0x3004, 0x000e), 1);
    all.assign((size_t)f.frames, dicom_frame());
    for (size_t i = 0; i < all.size(); i++) {
        frame_facts one = {&all[i], false, false};
        all[i].slope = dose;
        all[i].number = (int32_t)number_of(set, Tag(0x0020, 0x0013), 0);
        one.take_position(set);
        one.take_direction(set);
        one.take_scale(set);
        if (shared) one.take_group(*shared, f);
        const DataSet *const own = grouped ? item_of(set, Tag(0x5200, 0x9230), i) : nullptr;
        if (own) one.take_group(*own, f);
        if (all[i].slope == 0) all[i].slope = 1;
        all[i].placed = one.position && one.direction;
    }
    if (!grouped) shift_frames(set, all);
    take_measures(set, f);
    take_spacing(set, Tag(0x0018, 0x1164), f);
}

// Reads up to the values: where those begin in the file, or 0 if all that follows the header is packed.
uint64_t look(const char *path, dicom_facts &f, std::vector<dicom_frame> &all)
{
    gdcm::Reader reader;
    reader.SetFileName(path);
    if (!reader.ReadUpToTag(pixels_tag, std::set<Tag>{pixels_tag}))
        throw refusal{DICOM_DAMAGED, "its header cannot be read"};
    const gdcm::File &file = reader.GetFile();
    const DataSet &set = file.GetDataSet();
    gdcm::MediaStorage kind;
    kind.SetFromFile(file);
    if (kind == gdcm::MediaStorage::MediaStorageDirectoryStorage) throw refusal{DICOM_NO_IMAGE, ""};
    take_format(file, f);
    take_frames(file, f, all);
    copy(f.series, text_of(set, Tag(0x0020, 0x000e)));
    copy(f.image, text_of(set, Tag(0x0008, 0x0018)));
    copy(f.description, text_of(set, Tag(0x0008, 0x103e)));
    copy(f.modality, text_of(set, Tag(0x0008, 0x0060)));
    const gdcm::TransferSyntax &syntax = file.GetHeader().GetDataSetTransferSyntax();
    const bool deflated = syntax == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian;
    return deflated ? 0 : (uint64_t)reader.GetStreamCurrentPosition();
}

// ---- Values -------------------------------------------------------------------------------------

// The file that was decoded last, and its values.
struct decoded {
    std::string path;
    dicom_facts facts;
    std::vector<char> values;
} last;

// gdcm's reader insists on a number of frames for some kinds of images, and takes what is missing of values for zero.
class whole_reader : public gdcm::ImageReader {
public:
    bool read(const char *path, uint64_t begins, const dicom_facts &f)
    {
        SetFileName(path);
        if (!gdcm::Reader::Read()) return false;
        DataSet &set = GetFile().GetDataSet();
        const Tag frames(0x0028, 0x0008);
        if (f.frames == 1 && !set.FindDataElement(frames)) {
            gdcm::Attribute<0x0028, 0x0008> one = {1};
            set.Insert(one.GetAsDataElement());
        }
        check_length(path, begins, f, set);
        gdcm::MediaStorage kind;
        kind.SetFromFile(GetFile());
        PixelData->SetTransferSyntax(GetFile().GetHeader().GetDataSetTransferSyntax());
        return ReadImage(kind);
    }

private:
    // As many bytes as values, or as many fragments as frames, and the end of those.
    static void check_length(const char *path, uint64_t begins, const dicom_facts &f, const DataSet &set)
    {
        if (!set.FindDataElement(pixels_tag)) throw refusal{DICOM_CUT_SHORT, ""};
        const gdcm::DataElement &pixels = set.GetDataElement(pixels_tag);
        const uint64_t need = f.frame_bytes * (uint64_t)f.frames;
        std::ifstream file(path, std::ios::binary | std::ios::ate);
        const uint64_t size = (uint64_t)file.tellg();
        if (const gdcm::SequenceOfFragments *const parts = pixels.GetSequenceOfFragments()) {
            if (begins >= size) // gdcm looked for them to the end of the file
                throw refusal{DICOM_UNSUPPORTED, "its values are packed, and its header is written in another way than "
                                                 "its transfer syntax says"};
            if (parts->GetNumberOfFragments() >= (size_t)f.frames && (!begins || is_closed(file, begins))) return;
        } else if (const gdcm::ByteValue *const bytes = pixels.GetByteValue()) {
            if ((uint64_t)bytes->GetLength() >= need && (!begins || begins + need <= size)) return;
        }
        throw refusal{DICOM_CUT_SHORT, ""};
    }

    // Whether items of the length that they say are followed by the end of the sequence: gdcm does not ask.
    static bool is_closed(std::ifstream &file, uint64_t at)
    {
        const uint32_t item = 0xe000fffe, end = 0xe0ddfffe;
        for (uint64_t here = at;; here += 8) {
            uint32_t head[2];
            file.seekg((std::streamoff)here);
            if (!file.read(reinterpret_cast<char *>(head), sizeof head)) return false;
            if (here == at && head[0] != item)
                throw refusal{DICOM_UNSUPPORTED, "its values are packed, and do not begin where the header says"};
            if (head[0] != item) return head[0] == end;
            here += head[1];
        }
    }
};

void swap_halves()
{
    for (size_t i = 0; i + 4 <= last.values.size(); i += 4) {
        char *const at = &last.values[i];
        std::swap(at[0], at[2]), std::swap(at[1], at[3]);
    }
}

// Channels side by side, of what has them one after the other.
void interleave(const dicom_facts &f)
{
    const size_t plane = f.frame_bytes / 3, value = (size_t)f.bytes;
    std::vector<char> one(f.frame_bytes);
    for (int32_t k = 0; k < f.frames; k++) {
        char *const frame = last.values.data() + (size_t)k * f.frame_bytes;
        for (size_t i = 0; i < plane; i += value)
            for (size_t c = 0; c < 3; c++) memcpy(&one[3 * i + c * value], frame + c * plane + i, value);
        memcpy(frame, one.data(), one.size());
    }
}

// To red, green and blue.
void change_colors(const gdcm::PhotometricInterpretation &from, const dicom_facts &f)
{
    using gdcm::PhotometricInterpretation;
    if (from == PhotometricInterpretation::RGB || from == PhotometricInterpretation::YBR_ICT ||
        from == PhotometricInterpretation::YBR_RCT)
        return;
    const bool known = from == PhotometricInterpretation::YBR_FULL || from == PhotometricInterpretation::YBR_FULL_422;
    if (f.bytes != 1 || !known)
        throw refusal{DICOM_UNSUPPORTED, std::string("its colours are ") + from.GetString()};
    for (size_t i = 0; i + 3 <= last.values.size(); i += 3) {
        unsigned char *const at = reinterpret_cast<unsigned char *>(&last.values[i]), ybr[3] = {at[0], at[1], at[2]};
        gdcm::ImageChangePhotometricInterpretation::YBR2RGB<unsigned char>(at, ybr);
    }
}

void decode(const char *path, dicom_facts &f)
{
    std::vector<dicom_frame> ignored;
    const uint64_t begins = look(path, f, ignored);
    whole_reader reader;
    if (!reader.read(path, begins, f)) throw refusal{DICOM_DAMAGED, "its values cannot be read"};
    const gdcm::Image &image = reader.GetImage();
    const gdcm::PixelFormat &format = image.GetPixelFormat();
    const uint64_t size = f.frame_bytes * (uint64_t)f.frames;
    if (format.GetBitsAllocated() != 8 * f.bytes || format.GetSamplesPerPixel() != f.channels ||
        image.GetDimension(0) != (unsigned)f.columns || image.GetDimension(1) != (unsigned)f.rows ||
        image.GetBufferLength() != size)
        throw refusal{DICOM_DAMAGED, "its values are of another size or kind than its header says"};
    const gdcm::TransferSyntax &syntax = image.GetTransferSyntax();
    if (f.channels == 3 && f.bytes > 1 && syntax == gdcm::TransferSyntax::RLELossless)
        throw refusal{DICOM_UNSUPPORTED, "colours of 16 or 32 bits, packed by RLE"}; // gdcm mixes their bytes
    last.values.assign(size, 0);
    if (!image.GetBuffer(last.values.data())) throw refusal{DICOM_UNDECODED, syntax.GetString()};
    if (f.bytes == 4 && syntax == gdcm::TransferSyntax::ExplicitVRBigEndian) swap_halves(); // gdcm turns 16 bits round
    if (f.channels == 3 && image.GetPlanarConfiguration() == 1) interleave(f);
    if (f.channels == 3) change_colors(image.GetPhotometricInterpretation(), f);
}

template <class work> void answer(dicom_facts *facts, work todo)
{
    *facts = dicom_facts();
    dicom_facts made = dicom_facts();
    refusal said = {DICOM_DONE, ""};
    try {
        todo(made);
        *facts = made;
        return;
    } catch (const refusal &r) {
        said = r;
    } catch (const std::bad_alloc &) {
        said = {DICOM_NO_MEMORY, ""};
    } catch (const std::exception &e) {
        said = {DICOM_DAMAGED, e.what()};
    } catch (...) {
        said = {DICOM_DAMAGED, "gdcm cannot read it"};
    }
    facts->answer = said.answer;
    copy(facts->text, said.text);
}

} // namespace

extern "C" __attribute__((visibility("default"))) void tilecut_dicom_look(const char *path, dicom_facts *facts,
                                                                          dicom_frame **frames)
{
    *frames = nullptr;
    answer(facts, [&](dicom_facts &f) {
        std::vector<dicom_frame> all;
        look(path, f, all);
        *frames = static_cast<dicom_frame *>(malloc(all.size() * sizeof all[0]));
        if (!*frames) throw std::bad_alloc();
        memcpy(*frames, all.data(), all.size() * sizeof all[0]);
    });
}

extern "C" __attribute__((visibility("default"))) void tilecut_dicom_values(const char *path, int32_t frame,
                                                                            dicom_facts *facts, const char **values)
{
    *values = nullptr;
    answer(facts, [&](dicom_facts &f) {
        if (last.path != path) {
            last.path.clear();
            decode(path, last.facts = dicom_facts());
            last.path = path;
        }
        f = last.facts;
        if (frame < 0 || frame >= f.frames) throw refusal{DICOM_DAMAGED, "it has too few frames"};
        *values = last.values.data() + (size_t)frame * f.frame_bytes;
    });
}

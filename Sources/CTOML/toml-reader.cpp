extern "C" {
#include "CTOML.h"
}
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <toml++/toml.h>

namespace {
bool is_bare(std::string_view part) {
    if (part.empty()) return false;
    for (char letter : part) {
        bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
        if (!is_plain && letter != '_' && letter != '-') return false;
    }
    return true;
}

std::string joined(const std::string &table, std::string_view part) {
    std::string key = table.empty() ? "" : table + ".";
    // Else "files.quota" in quotes would be taken for quota in the table files.
    return is_bare(part) ? key.append(part) : key.append("\"").append(part).append("\"");
}

const char *name(toml::node_type type) {
    switch (type) {
    case toml::node_type::array: return "a list";
    case toml::node_type::table: return "a table";
    case toml::node_type::floating_point: return "a fraction";
    default: return "a date or a time";
    }
}

moot_toml_value described(const toml::node &node, bool is_element) {
    moot_toml_value value = {moot_toml_kind_other, nullptr, 0, 0, node.source().begin.line};
    if (auto *text = node.as_string()) {
        value.kind = moot_toml_kind_text;
        value.text = text->get().data();
        value.count = text->get().size();
    } else if (auto *number = node.as_integer()) {
        value.kind = moot_toml_kind_integer;
        value.number = number->get();
    } else if (auto *boolean = node.as_boolean()) {
        value.kind = moot_toml_kind_boolean;
        value.number = boolean->get() ? 1 : 0;
    } else if (node.is_array() && !is_element) {
        value.kind = moot_toml_kind_list;
    } else {
        value.text = name(node.type());
        value.count = std::strlen(value.text);
    }
    return value;
}

void visit_all(const toml::table &table, const std::string &prefix, moot_toml_visitor visit, void *context) {
    for (auto &&[part, node] : table) {
        auto key = joined(prefix, part.str());
        if (auto *inner = node.as_table()) {
            visit_all(*inner, key, visit, context);
            continue;
        }
        auto value = described(node, false);
        visit(context, key.data(), key.size(), &value);
        if (auto *list = node.as_array()) {
            for (auto &&element : *list) {
                auto inner = described(element, true);
                visit(context, nullptr, 0, &inner);
            }
        }
    }
}

void fill(moot_toml_error *error, std::string_view reason, uint32_t line, uint32_t column) {
    error->line = line;
    error->column = column;
    size_t count = reason.copy(error->reason, sizeof error->reason - 1);
    error->reason[count] = 0;
}
}

int moot_toml_read(const char *bytes, size_t count, moot_toml_visitor visit, void *context, moot_toml_error *error) {
    try {
        auto table = toml::parse(std::string_view(bytes, count));
        visit_all(table, "", visit, context);
        return 1;
    } catch (const toml::parse_error &reason) {
        auto place = reason.source().begin;
        fill(error, reason.description(), place.line, place.column);
    } catch (const std::exception &reason) {
        fill(error, reason.what(), 0, 0);
    } catch (...) {
        fill(error, "it cannot be read", 0, 0);
    }
    return 0;
}

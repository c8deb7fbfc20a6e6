#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t index_html[] = {
#embed "assets/index.html"
};
static const uint8_t style_css[] = {
#embed "assets/style.css"
};
static const uint8_t screens_css[] = {
#embed "assets/screens.css"
};
static const uint8_t icon_svg[] = {
#embed "assets/icon.svg"
};
static const uint8_t manifest_json[] = {
#embed "assets/manifest.json"
};
static const uint8_t actions_js[] = {
#embed "assets/actions.js"
};
static const uint8_t api_js[] = {
#embed "assets/api.js"
};
static const uint8_t appearance_js[] = {
#embed "assets/appearance.js"
};
static const uint8_t attachments_js[] = {
#embed "assets/attachments.js"
};
static const uint8_t composer_js[] = {
#embed "assets/composer.js"
};
static const uint8_t conversation_js[] = {
#embed "assets/conversation.js"
};
static const uint8_t crop_js[] = {
#embed "assets/crop.js"
};
static const uint8_t devices_js[] = {
#embed "assets/devices.js"
};
static const uint8_t dialogs_js[] = {
#embed "assets/dialogs.js"
};
static const uint8_t doctor_js[] = {
#embed "assets/doctor.js"
};
static const uint8_t dom_js[] = {
#embed "assets/dom.js"
};
static const uint8_t emoji_js[] = {
#embed "assets/emoji.js"
};
static const uint8_t gallery_js[] = {
#embed "assets/gallery.js"
};
static const uint8_t history_js[] = {
#embed "assets/history.js"
};
static const uint8_t info_js[] = {
#embed "assets/info.js"
};
static const uint8_t keys_js[] = {
#embed "assets/keys.js"
};
static const uint8_t laboratory_js[] = {
#embed "assets/laboratory.js"
};
static const uint8_t lanegraph_js[] = {
#embed "assets/lanegraph.js"
};
static const uint8_t lanes_js[] = {
#embed "assets/lanes.js"
};
static const uint8_t linking_js[] = {
#embed "assets/linking.js"
};
static const uint8_t list_js[] = {
#embed "assets/list.js"
};
static const uint8_t main_js[] = {
#embed "assets/main.js"
};
static const uint8_t membership_js[] = {
#embed "assets/membership.js"
};
static const uint8_t mentions_js[] = {
#embed "assets/mentions.js"
};
static const uint8_t message_js[] = {
#embed "assets/message.js"
};
static const uint8_t node_js[] = {
#embed "assets/node.js"
};
static const uint8_t notifications_js[] = {
#embed "assets/notifications.js"
};
static const uint8_t parts_js[] = {
#embed "assets/parts.js"
};
static const uint8_t passphrase_js[] = {
#embed "assets/passphrase.js"
};
static const uint8_t people_js[] = {
#embed "assets/people.js"
};
static const uint8_t plots_js[] = {
#embed "assets/plots.js"
};
static const uint8_t profile_js[] = {
#embed "assets/profile.js"
};
static const uint8_t search_js[] = {
#embed "assets/search.js"
};
static const uint8_t sidebar_js[] = {
#embed "assets/sidebar.js"
};
static const uint8_t square_js[] = {
#embed "assets/square.js"
};
static const uint8_t statistics_js[] = {
#embed "assets/statistics.js"
};
static const uint8_t store_js[] = {
#embed "assets/store.js"
};
static const uint8_t stream_js[] = {
#embed "assets/stream.js"
};
static const uint8_t theme_js[] = {
#embed "assets/theme.js"
};
static const uint8_t tickets_js[] = {
#embed "assets/tickets.js"
};
static const uint8_t upload_js[] = {
#embed "assets/upload.js"
};
static const uint8_t words_js[] = {
#embed "assets/words.js"
};

static const struct moot_page_file files[] = {
    {"index.html", index_html, sizeof index_html},
    {"style.css", style_css, sizeof style_css},
    {"screens.css", screens_css, sizeof screens_css},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"manifest.json", manifest_json, sizeof manifest_json},
    {"actions.js", actions_js, sizeof actions_js},
    {"api.js", api_js, sizeof api_js},
    {"appearance.js", appearance_js, sizeof appearance_js},
    {"attachments.js", attachments_js, sizeof attachments_js},
    {"composer.js", composer_js, sizeof composer_js},
    {"conversation.js", conversation_js, sizeof conversation_js},
    {"crop.js", crop_js, sizeof crop_js},
    {"devices.js", devices_js, sizeof devices_js},
    {"dialogs.js", dialogs_js, sizeof dialogs_js},
    {"doctor.js", doctor_js, sizeof doctor_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"emoji.js", emoji_js, sizeof emoji_js},
    {"gallery.js", gallery_js, sizeof gallery_js},
    {"history.js", history_js, sizeof history_js},
    {"info.js", info_js, sizeof info_js},
    {"keys.js", keys_js, sizeof keys_js},
    {"laboratory.js", laboratory_js, sizeof laboratory_js},
    {"lanegraph.js", lanegraph_js, sizeof lanegraph_js},
    {"lanes.js", lanes_js, sizeof lanes_js},
    {"linking.js", linking_js, sizeof linking_js},
    {"list.js", list_js, sizeof list_js},
    {"main.js", main_js, sizeof main_js},
    {"membership.js", membership_js, sizeof membership_js},
    {"mentions.js", mentions_js, sizeof mentions_js},
    {"message.js", message_js, sizeof message_js},
    {"node.js", node_js, sizeof node_js},
    {"notifications.js", notifications_js, sizeof notifications_js},
    {"parts.js", parts_js, sizeof parts_js},
    {"passphrase.js", passphrase_js, sizeof passphrase_js},
    {"people.js", people_js, sizeof people_js},
    {"plots.js", plots_js, sizeof plots_js},
    {"profile.js", profile_js, sizeof profile_js},
    {"search.js", search_js, sizeof search_js},
    {"sidebar.js", sidebar_js, sizeof sidebar_js},
    {"square.js", square_js, sizeof square_js},
    {"statistics.js", statistics_js, sizeof statistics_js},
    {"store.js", store_js, sizeof store_js},
    {"stream.js", stream_js, sizeof stream_js},
    {"theme.js", theme_js, sizeof theme_js},
    {"tickets.js", tickets_js, sizeof tickets_js},
    {"upload.js", upload_js, sizeof upload_js},
    {"words.js", words_js, sizeof words_js},
};

const struct moot_page_file *moot_page_files(void) { return files; }

size_t moot_page_file_count(void) { return sizeof files / sizeof files[0]; }

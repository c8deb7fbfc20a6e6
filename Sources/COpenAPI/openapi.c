#include "COpenAPI.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
static const uint8_t bytes[] = {
#embed "openapi.json"
};

const uint8_t *moot_openapi(void) { return bytes; }

size_t moot_openapi_count(void) { return sizeof bytes; }

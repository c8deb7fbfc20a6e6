// The screens beyond conversations, by the first word of their address. A screen that is not here is offered nowhere.
//
// Each module exports `screen(app, params)`, which returns an element with a heading; see `main.js`.

/** @type {Record<string, {title: string, icon: import("./dom.js").IconName, load: () => Promise<{screen: Function}>}>} */
export const screens = {};

/** Screens of one conversation: `#/conversation/ID/NAME`. They open beside it. */
/** @type {Record<string, {title: string, icon: import("./dom.js").IconName, load: () => Promise<{screen: Function}>, for?: "group"}>} */
export const conversationScreens = {};

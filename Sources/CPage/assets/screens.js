// The screens beyond conversations, by the first word of their address. A screen that is not here is offered nowhere.
//
// Each module exports `screen(app, params)`, which returns an element with a heading; see `main.js`. It is loaded when somebody
// goes there for the first time.

/** @type {Record<string, {title: string, short?: string, icon: import("./dom.js").IconName, load: () => Promise<{screen: Function}>}>} */
export const screens = {
  people: { title: "People", icon: "people", load: () => import("./people.js") },
  search: { title: "Search messages", short: "Search", icon: "search", load: () => import("./search.js") },
  profile: { title: "Your profile", icon: "people", load: () => import("./profile.js") },
  laboratory: { title: "Laboratory", short: "Lab", icon: "flask", load: () => import("./laboratory.js") },
  node: { title: "This node", short: "Node", icon: "node", load: () => import("./node.js") },
};

/** Screens of one conversation: `#/conversation/ID/NAME`. They open beside it. */
/** @type {Record<string, {title: string, icon: import("./dom.js").IconName, load: () => Promise<{screen: Function}>, for?: "group"}>} */
export const conversationScreens = {
  search: { title: "Search here", icon: "search", load: () => import("./search.js") },
  files: { title: "Photos, files and links", icon: "gallery", load: () => import("./gallery.js") },
  statistics: { title: "Statistics", icon: "chart", for: "group", load: () => import("./statistics.js") },
  membership: { title: "History of the group", icon: "graph", for: "group", load: () => import("./membership.js") },
};

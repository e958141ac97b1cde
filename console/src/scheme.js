// Sets the chosen colour scheme before the first paint. A file of its own, because the pages' policy forbids inline
// scripts, and a module would run too late. schemes.ts writes the cookie.
const chosen = /(?:^|; )scheme=(light|dark)(?:;|$)/.exec(document.cookie)
if (chosen) document.documentElement.dataset.scheme = chosen[1]

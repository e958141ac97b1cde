/**
 * Where the pages search, and with which key. `npm run examples` answers this file with its own options; where the pages
 * are served by something else, write yours here.
 */
export const config = {
  url: 'http://localhost:8080',
  key: 'pk_0000000000000000000000000000000000000000',
}

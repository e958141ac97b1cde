// How product feeds are read, by the very modules of the command line. See `shared.js`.
export { formatOfName, formatOfText, unitOf } from '../../../../src/channels/import/feeds/feed-format.ts'
export { UnusableFeed } from '../../../../src/channels/import/feeds/feed-record.ts'
export { readFeed } from '../../../../src/channels/import/feeds/read-feed.ts'
export { recordOf } from '../../../../src/channels/import/feeds/record.ts'
export { LineTally } from '../../../../src/platform/lines/line-tally.ts'

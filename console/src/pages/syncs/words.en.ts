const products = (count: string) => (count === '1' ? '1 product' : `${count} products`)

export const words = {
  title: 'Sync runs',
  intro: 'When your shop sent its products, and what that changed.',
  site: 'Site',
  list: 'Sync runs',
  when: 'When',
  kind: 'Kind',
  full: 'All products',
  delta: 'Changes only',
  by: 'Sent by',
  commandLine: 'Import on the server',
  gone: 'A key or person that no longer exists',
  result: 'Result',
  status: { running: 'Running', finished: 'Finished', broken_off: 'Broken off' },
  changed: 'What changed',
  created: (count: string) => `${count} new`,
  updated: (count: string) => `${count} updated`,
  unchanged: (count: string) => `${count} unchanged`,
  retired: (count: string) => `${count} retired`,
  failed: (count: string) => `${count} refused`,
  nothing: 'Nothing',
  brokenOff: 'The shop stopped sending in the middle. What arrived until then is stored; nothing was retired.',
  brokenOffDelta: 'The shop stopped sending in the middle. What arrived until then is stored.',
  refusals: {
    empty: (count: string) =>
      `The feed was empty, so nothing was retired. ${products(count)} stay. Check the feed and send it again.`,
    unread: (count: string) =>
      `A line could not be read and may name any product, so nothing was retired. ${products(count)} stay. Correct the feed and send it again.`,
    'too many': (count: string) =>
      `${products(count)} were missing from the feed, more than may be retired at once, so nothing was retired. If they are gone for good, send the feed again and allow it with “max_retired”.`,
    stopped: (count: string) => `Retiring stopped on the way. ${products(count)} are left. Send the feed again.`,
    useless: 'More than half of the lines were wrong, so the rest was not read.',
  },
  failures: 'Refused lines',
  firstFailures: (count: string) => `The first ${count} refused lines`,
  line: (line: string) => `Line ${line}`,
  field: (field: string) => `field “${field}”`,
  wholeLine: 'the line cannot be read',
  show: 'Show refused lines',
  hide: 'Hide refused lines',
  empty: 'No products were sent yet.',
  emptyHelp: 'As soon as your shop sends products to this site, each run is listed here.',
  forbidden: 'Your role may not see sync runs.',
  forbiddenHelp: 'Editors and administrators may. Ask an administrator of your organisation.',
}

export type SyncsWords = typeof words

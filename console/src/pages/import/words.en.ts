export const words = {
  title: 'Import',
  intro: 'Turn files into entries, or a product feed into products. You see what would happen first.',
  kinds: { entries: 'Entries', products: 'Products' },
  forbidden: 'You cannot import here.',
  forbiddenHelp: 'Editors and administrators can. An administrator can give you the role.',
  drop: 'Files to import',
  help: 'Markdown (.md) with or without front matter, and JSON Lines (.jsonl). Folders become categories.',
  visibility: 'Who may see entries that do not say it',
  keep: 'Internal, or as they are',
  keepHelp: 'New entries are internal; known ones keep what they have',
  folder: 'Folder of single files',
  folderHelp:
    'Single files are recognised at the next import by this name and their own. Folders have their own name already.',
  folderFault: 'Enter a name without slashes.',
  nothing: 'There is nothing to import in it.',
  nothingHelp: 'Choose Markdown files (.md) or JSON Lines (.jsonl).',
  chosen: (count: number, text: string) => (count === 1 ? '1 file chosen' : `${text} files chosen`),
  checking: 'Checking what would happen. Nothing is stored yet.',
  importing: 'Importing. You can cancel at any time: what is stored stays, and the rest can follow later.',
  progress: 'Progress',
  checked: 'This is what would happen',
  stopped: 'Cancelled. What is counted below is stored.',
  leaving: {
    title: 'Leave while files are imported?',
    text: 'What has been imported stays; the rest is not imported. Import the same files again to complete it: nothing is stored twice.',
    leave: 'Stop and leave',
  },
  stoppedCheck: 'Cancelled. Nothing was stored.',
  done: 'The import is done.',
  doneWithFaults: 'The import is done, but not everything could be imported.',
  nothingNew: 'Everything is here already, and nothing has changed.',
  counts: {
    created: 'new',
    updated: 'changed',
    unchanged: 'unchanged',
    restored: 'back from the bin',
    failed: 'not possible',
  },
  ignored: (count: number, text: string) =>
    count === 1 ? '1 other file is left alone.' : `${text} other files are left alone.`,
  start: (count: number, text: string) => (count === 1 ? 'Import 1 entry' : `Import ${text} entries`),
  other: 'Choose other files',
  cancel: 'Cancel import',
  goOn: 'Continue',
  showEntries: 'Show entries',
  again: 'Import more',
  faults: 'Not possible',
  faultsHelp: 'The others are not affected. Mend these and import them again: nothing is stored twice.',
  where: 'Where',
  why: 'Why',
  line: (file: string, line: string) => `${file}, line ${line}`,
  download: 'Download these lines',
  downloadList: 'Download the list',
  reasons: {
    unreadable: 'The file cannot be read. It may have been moved or changed since you chose it.',
    tooLarge: 'The file is larger than an entry may be (8 MB).',
    notText: 'The file is not text in UTF-8.',
    frontMatter: 'The lines between --- at the beginning are not valid YAML.',
    category: 'The category cannot have this name.',
    notObject: 'The line is not a JSON object.',
    notJson: 'The line is not valid JSON.',
    productTooLarge: 'The product is larger than one may be (2 MB).',
    tooDeep: 'The product has more than 32 levels.',
    cutRow: 'The file ends in the middle of this line.',
  },
  feed: {
    noSite: 'There is no site yet that could have products.',
    site: 'Site',
    sync: 'What the file has',
    syncs: {
      delta: { name: 'Some products', help: 'Adds and changes the products in the file. All others stay as they are.' },
      full: {
        name: 'All products',
        help: 'Also retires the products of earlier files that this one lacks: people do not find them any more. You are told how many, and asked first.',
      },
    },
    encoding: 'Encoding of the file',
    encodingHelp: 'Of CSV and XML. Choose another one if umlauts are wrong.',
    encodings: { 'utf-8': 'UTF-8', 'windows-1252': 'Windows (windows-1252)', 'utf-16le': 'UTF-16' },
    drop: 'Product feed to import',
    help: 'CSV or TSV with column names, JSON, JSON Lines or Google Merchant XML; also gzipped (.gz).',
    reading: 'Reading the file. Nothing is stored yet.',
    checking: 'Comparing the products with those of the site. Nothing is stored yet.',
    stopped: 'Cancelled. What was stored until then stays; nothing was retired.',
    incomplete:
      'The import is not complete. Nothing was retired. Import the file once more: what is stored is skipped.',
    start: (count: number, text: string) =>
      count === 0 ? 'Import' : count === 1 ? 'Import 1 product' : `Import ${text} products`,
    showRun: 'Show sync runs',
    other: 'Choose another file',
    retired: 'retired',
    missing: (count: number, text: string, site: string) =>
      count === 1
        ? `1 product of earlier files is not in this one. The import retires it: people do not find it any more in ${site}.`
        : `${text} products of earlier files are not in this one. The import retires them: people do not find them any more in ${site}.`,
    missingIds: (ids: string, more: string) => (more === '0' ? ids : `${ids} and ${more} more`),
    retireTitle: (count: number, text: string) => (count === 1 ? 'Retire 1 product?' : `Retire ${text} products?`),
    retireText: (site: string) =>
      `They leave lists and search of ${site}, and come back when a later file has them. If the file is only a part of your products, choose “Some products” instead.`,
    retire: 'Import and retire',
    unread: (count: string) =>
      `Some products cannot be read and may be any of the site, so nothing would be retired; ${count} missing products stay. Correct the file first.`,
    leftAll: (count: string) =>
      `Nothing was retired, since products could not be read or more are missing now than before; ${count} missing products stay. Import the file once more.`,
    unnamed: (count: number, text: string) =>
      count === 1
        ? '1 product has no number of its own (column id or external_id). Each import adds it again.'
        : `${text} products have no number of their own (column id or external_id). Each import adds them again.`,
    unreadPrices: (count: number, text: string) =>
      count === 1
        ? '1 price cannot be read. Its product is imported without it.'
        : `${text} prices cannot be read. Their products are imported without them.`,
    firstFaults: (shown: string, all: string) => `The first ${shown} of ${all} are listed.`,
    product: (file: string, place: string) => `${file}, product ${place}`,
    faultsHelp: 'The others are not affected. The download has the products as JSON Lines: mend and import it again.',
    cutFull: 'What comes before can be imported. Nothing is retired, since the rest is missing.',
    cutPartial: 'What comes before can be imported.',
    cuts: {
      unknown: 'It cannot be told what kind of file this is.',
      useless: 'More than half of the file is blank or wrong, so the rest was not read.',
      encoding: 'The file has another encoding. Choose another file or encoding.',
      notTable: 'The file is not a table: its first line does not end.',
      table: 'The table cannot be read to its end.',
      cut: 'The file ends in the middle. It was probably cut when it was copied or downloaded.',
      xml: 'The file is not valid XML.',
      gzip: 'The gzip file is damaged.',
      noProducts: 'A long part of the file has no product.',
    },
  },
}

export type ImportWords = typeof words

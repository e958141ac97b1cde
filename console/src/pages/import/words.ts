import { pageWords } from '../../i18n/language.tsx'

export const useImportWords = pageWords({
  title: { en: 'Import', de: 'Import' },
  intro: {
    en: 'Turn files into entries, or a product feed into products. You see what would happen first.',
    de: 'Machen Sie Dateien zu Einträgen oder einen Produkt-Feed zu Produkten. Vorher sehen Sie, was geschehen würde.',
  },
  kinds: {
    entries: { en: 'Entries', de: 'Einträge' },
    products: { en: 'Products', de: 'Produkte' },
  },
  forbidden: { en: 'You cannot import here.', de: 'Hier können Sie nicht importieren.' },
  forbiddenHelp: {
    en: 'Editors and administrators can. An administrator can give you the role.',
    de: 'Das geht mit der Rolle Bearbeitung oder Administration. Die Administration kann sie vergeben.',
  },
  drop: { en: 'Files to import', de: 'Dateien für den Import' },
  help: {
    en: 'Markdown (.md) with or without front matter, and JSON Lines (.jsonl). Folders become categories.',
    de: 'Markdown (.md), mit oder ohne Front Matter, und JSON Lines (.jsonl). Ordner werden zu Kategorien.',
  },
  visibility: { en: 'Who may see entries that do not say it', de: 'Wer Einträge sehen darf, die es nicht angeben' },
  keep: { en: 'Internal, or as they are', de: 'Intern, oder wie sie sind' },
  keepHelp: {
    en: 'New entries are internal; known ones keep what they have',
    de: 'Neue Einträge sind intern; bekannte behalten, was sie haben',
  },
  folder: { en: 'Folder of single files', de: 'Ordner einzelner Dateien' },
  folderHelp: {
    en: 'Single files are recognised at the next import by this name and their own. Folders have their own name already.',
    de: 'An diesem Namen und dem eigenen werden einzelne Dateien beim nächsten Import erkannt. Ordner haben schon einen Namen.',
  },
  folderFault: { en: 'Enter a name without slashes.', de: 'Geben Sie einen Namen ohne Schrägstriche ein.' },
  nothing: { en: 'There is nothing to import in it.', de: 'Darin ist nichts, das sich importieren lässt.' },
  nothingHelp: {
    en: 'Choose Markdown files (.md) or JSON Lines (.jsonl).',
    de: 'Wählen Sie Markdown-Dateien (.md) oder JSON Lines (.jsonl).',
  },
  chosen: {
    en: (count: number, text: string) => (count === 1 ? '1 file chosen' : `${text} files chosen`),
    de: (count, text) => (count === 1 ? '1 Datei gewählt' : `${text} Dateien gewählt`),
  },
  checking: {
    en: 'Checking what would happen. Nothing is stored yet.',
    de: 'Es wird geprüft, was geschehen würde. Noch ist nichts gespeichert.',
  },
  importing: {
    en: 'Importing. You can cancel at any time: what is stored stays, and the rest can follow later.',
    de: 'Der Import läuft. Sie können jederzeit abbrechen: Was gespeichert ist, bleibt, der Rest kann später folgen.',
  },
  progress: { en: 'Progress', de: 'Fortschritt' },
  checked: { en: 'This is what would happen', de: 'Das würde geschehen' },
  stopped: {
    en: 'Cancelled. What is counted below is stored.',
    de: 'Abgebrochen. Was unten gezählt ist, ist gespeichert.',
  },
  leaving: {
    title: { en: 'Leave while files are imported?', de: 'Während des Imports verlassen?' },
    text: {
      en: 'What has been imported stays; the rest is not imported. Import the same files again to complete it: nothing is stored twice.',
      de: 'Was schon importiert ist, bleibt; der Rest wird nicht importiert. Importieren Sie dieselben Dateien noch einmal, um ihn zu ergänzen: Nichts wird doppelt gespeichert.',
    },
    leave: { en: 'Stop and leave', de: 'Abbrechen und verlassen' },
  },
  stoppedCheck: { en: 'Cancelled. Nothing was stored.', de: 'Abgebrochen. Es wurde nichts gespeichert.' },
  done: { en: 'The import is done.', de: 'Der Import ist fertig.' },
  doneWithFaults: {
    en: 'The import is done, but not everything could be imported.',
    de: 'Der Import ist fertig, aber nicht alles ließ sich importieren.',
  },
  nothingNew: {
    en: 'Everything is here already, and nothing has changed.',
    de: 'Alles ist schon da, und nichts hat sich geändert.',
  },
  counts: {
    created: { en: 'new', de: 'neu' },
    updated: { en: 'changed', de: 'geändert' },
    unchanged: { en: 'unchanged', de: 'unverändert' },
    restored: { en: 'back from the bin', de: 'aus dem Papierkorb zurück' },
    failed: { en: 'not possible', de: 'nicht möglich' },
  },
  ignored: {
    en: (count: number, text: string) =>
      count === 1 ? '1 other file is left alone.' : `${text} other files are left alone.`,
    de: (count, text) =>
      count === 1 ? '1 andere Datei bleibt unberührt.' : `${text} andere Dateien bleiben unberührt.`,
  },
  start: {
    en: (count: number, text: string) => (count === 1 ? 'Import 1 entry' : `Import ${text} entries`),
    de: (count, text) => (count === 1 ? '1 Eintrag importieren' : `${text} Einträge importieren`),
  },
  other: { en: 'Choose other files', de: 'Andere Dateien wählen' },
  cancel: { en: 'Cancel import', de: 'Import abbrechen' },
  goOn: { en: 'Continue', de: 'Fortsetzen' },
  showEntries: { en: 'Show entries', de: 'Einträge zeigen' },
  again: { en: 'Import more', de: 'Mehr importieren' },
  faults: { en: 'Not possible', de: 'Nicht möglich' },
  faultsHelp: {
    en: 'The others are not affected. Mend these and import them again: nothing is stored twice.',
    de: 'Die übrigen sind davon nicht betroffen. Beheben Sie die Fehler und importieren Sie erneut: Nichts wird doppelt gespeichert.',
  },
  where: { en: 'Where', de: 'Wo' },
  why: { en: 'Why', de: 'Warum' },
  line: { en: (file: string, line: string) => `${file}, line ${line}`, de: (file, line) => `${file}, Zeile ${line}` },
  download: { en: 'Download these lines', de: 'Diese Zeilen herunterladen' },
  downloadList: { en: 'Download the list', de: 'Liste herunterladen' },
  reasons: {
    unreadable: {
      en: 'The file cannot be read. It may have been moved or changed since you chose it.',
      de: 'Die Datei lässt sich nicht lesen. Vielleicht wurde sie seit der Auswahl verschoben oder geändert.',
    },
    tooLarge: {
      en: 'The file is larger than an entry may be (8 MB).',
      de: 'Die Datei ist größer, als ein Eintrag sein darf (8 MB).',
    },
    notText: { en: 'The file is not text in UTF-8.', de: 'Die Datei ist kein Text in UTF-8.' },
    frontMatter: {
      en: 'The lines between --- at the beginning are not valid YAML.',
      de: 'Die Zeilen zwischen --- am Anfang sind kein gültiges YAML.',
    },
    category: { en: 'The category cannot have this name.', de: 'So kann die Kategorie nicht heißen.' },
    notObject: { en: 'The line is not a JSON object.', de: 'Die Zeile ist kein JSON-Objekt.' },
    notJson: { en: 'The line is not valid JSON.', de: 'Die Zeile ist kein gültiges JSON.' },
    productTooLarge: {
      en: 'The product is larger than one may be (2 MB).',
      de: 'Das Produkt ist größer, als eines sein darf (2 MB).',
    },
    tooDeep: { en: 'The product has more than 32 levels.', de: 'Das Produkt hat mehr als 32 Ebenen.' },
    cutRow: { en: 'The file ends in the middle of this line.', de: 'Die Datei endet mitten in dieser Zeile.' },
  },
  feed: {
    noSite: {
      en: 'There is no site yet that could have products.',
      de: 'Es gibt noch keine Site, die Produkte haben könnte.',
    },
    site: { en: 'Site', de: 'Site' },
    sync: { en: 'What the file has', de: 'Was die Datei enthält' },
    syncs: {
      delta: {
        name: { en: 'Some products', de: 'Einige Produkte' },
        help: {
          en: 'Adds and changes the products in the file. All others stay as they are.',
          de: 'Fügt die Produkte der Datei hinzu oder ändert sie. Alle anderen bleiben, wie sie sind.',
        },
      },
      full: {
        name: { en: 'All products', de: 'Alle Produkte' },
        help: {
          en: 'Also retires the products of earlier files that this one lacks: people do not find them any more. You are told how many, and asked first.',
          de: 'Entfernt auch die Produkte früherer Dateien, die in dieser fehlen: Niemand findet sie mehr. Sie erfahren vorher, wie viele es sind, und werden gefragt.',
        },
      },
    },
    encoding: { en: 'Encoding of the file', de: 'Zeichensatz der Datei' },
    encodingHelp: {
      en: 'Of CSV and XML. Choose another one if umlauts are wrong.',
      de: 'Bei CSV und XML. Wählen Sie einen anderen, wenn Umlaute falsch sind.',
    },
    encodings: {
      'utf-8': { en: 'UTF-8', de: 'UTF-8' },
      'windows-1252': { en: 'Windows (windows-1252)', de: 'Windows (windows-1252)' },
      'utf-16le': { en: 'UTF-16', de: 'UTF-16' },
    },
    drop: { en: 'Product feed to import', de: 'Produkt-Feed für den Import' },
    help: {
      en: 'CSV or TSV with column names, JSON, JSON Lines or Google Merchant XML; also gzipped (.gz).',
      de: 'CSV oder TSV mit Spaltennamen, JSON, JSON Lines oder Google-Merchant-XML; auch mit gzip gepackt (.gz).',
    },
    reading: {
      en: 'Reading the file. Nothing is stored yet.',
      de: 'Die Datei wird gelesen. Noch ist nichts gespeichert.',
    },
    checking: {
      en: 'Comparing the products with those of the site. Nothing is stored yet.',
      de: 'Die Produkte werden mit denen der Site verglichen. Noch ist nichts gespeichert.',
    },
    stopped: {
      en: 'Cancelled. What was stored until then stays; nothing was retired.',
      de: 'Abgebrochen. Was bis dahin gespeichert wurde, bleibt; entfernt wurde nichts.',
    },
    incomplete: {
      en: 'The import is not complete. Nothing was retired. Import the file once more: what is stored is skipped.',
      de: 'Der Import ist unvollständig. Entfernt wurde nichts. Importieren Sie die Datei noch einmal: Was gespeichert ist, wird übersprungen.',
    },
    start: {
      en: (count: number, text: string) =>
        count === 0 ? 'Import' : count === 1 ? 'Import 1 product' : `Import ${text} products`,
      de: (count, text) =>
        count === 0 ? 'Importieren' : count === 1 ? '1 Produkt importieren' : `${text} Produkte importieren`,
    },
    showRun: { en: 'Show sync runs', de: 'Abgleiche zeigen' },
    other: { en: 'Choose another file', de: 'Andere Datei wählen' },
    retired: { en: 'retired', de: 'entfernt' },
    missing: {
      en: (count: number, text: string, site: string) =>
        count === 1
          ? `1 product of earlier files is not in this one. The import retires it: people do not find it any more in ${site}.`
          : `${text} products of earlier files are not in this one. The import retires them: people do not find them any more in ${site}.`,
      de: (count, text, site) =>
        count === 1
          ? `1 Produkt früherer Dateien fehlt in dieser. Der Import entfernt es: Niemand findet es mehr in ${site}.`
          : `${text} Produkte früherer Dateien fehlen in dieser. Der Import entfernt sie: Niemand findet sie mehr in ${site}.`,
    },
    missingIds: {
      en: (ids: string, more: string) => (more === '0' ? ids : `${ids} and ${more} more`),
      de: (ids, more) => (more === '0' ? ids : `${ids} und ${more} weitere`),
    },
    retireTitle: {
      en: (count: number, text: string) => (count === 1 ? 'Retire 1 product?' : `Retire ${text} products?`),
      de: (count, text) => (count === 1 ? '1 Produkt entfernen?' : `${text} Produkte entfernen?`),
    },
    retireText: {
      en: (site: string) =>
        `They leave lists and search of ${site}, and come back when a later file has them. If the file is only a part of your products, choose “Some products” instead.`,
      de: (site) =>
        `Sie verschwinden aus Listen und Suche von ${site} und kommen zurück, sobald eine spätere Datei sie enthält. Wenn die Datei nur einen Teil Ihrer Produkte enthält, wählen Sie stattdessen „Einige Produkte“.`,
    },
    retire: { en: 'Import and retire', de: 'Importieren und entfernen' },
    unread: {
      en: (count: string) =>
        `Some products cannot be read and may be any of the site, so nothing would be retired; ${count} missing products stay. Correct the file first.`,
      de: (count) =>
        `Einige Produkte sind nicht lesbar und könnten jedes der Site sein, deshalb würde nichts entfernt; fehlende Produkte, die bleiben: ${count}. Berichtigen Sie zuerst die Datei.`,
    },
    leftAll: {
      en: (count: string) =>
        `Nothing was retired, since products could not be read or more are missing now than before; ${count} missing products stay. Import the file once more.`,
      de: (count) =>
        `Es wurde nichts entfernt, weil Produkte nicht lesbar waren oder inzwischen mehr fehlen als vorher; fehlende Produkte, die bleiben: ${count}. Importieren Sie die Datei noch einmal.`,
    },
    unnamed: {
      en: (count: number, text: string) =>
        count === 1
          ? '1 product has no number of its own (column id or external_id). Each import adds it again.'
          : `${text} products have no number of their own (column id or external_id). Each import adds them again.`,
      de: (count, text) =>
        count === 1
          ? '1 Produkt hat keine eigene Nummer (Spalte id oder external_id). Jeder Import fügt es neu hinzu.'
          : `${text} Produkte haben keine eigene Nummer (Spalte id oder external_id). Jeder Import fügt sie neu hinzu.`,
    },
    unreadPrices: {
      en: (count: number, text: string) =>
        count === 1
          ? '1 price cannot be read. Its product is imported without it.'
          : `${text} prices cannot be read. Their products are imported without them.`,
      de: (count, text) =>
        count === 1
          ? '1 Preis ist nicht lesbar. Sein Produkt wird ohne ihn importiert.'
          : `${text} Preise sind nicht lesbar. Ihre Produkte werden ohne sie importiert.`,
    },
    firstFaults: {
      en: (shown: string, all: string) => `The first ${shown} of ${all} are listed.`,
      de: (shown, all) => `Die ersten ${shown} von ${all} sind aufgeführt.`,
    },
    product: {
      en: (file: string, place: string) => `${file}, product ${place}`,
      de: (file, place) => `${file}, Produkt ${place}`,
    },
    faultsHelp: {
      en: 'The others are not affected. The download has the products as JSON Lines: mend and import it again.',
      de: 'Die übrigen sind davon nicht betroffen. Der Download enthält die Produkte als JSON Lines: Berichtigen und importieren Sie ihn.',
    },
    cutFull: {
      en: 'What comes before can be imported. Nothing is retired, since the rest is missing.',
      de: 'Was davor kommt, lässt sich importieren. Entfernt wird nichts, weil der Rest fehlt.',
    },
    cutPartial: { en: 'What comes before can be imported.', de: 'Was davor kommt, lässt sich importieren.' },
    cuts: {
      unknown: {
        en: 'It cannot be told what kind of file this is.',
        de: 'Es ist nicht zu erkennen, was für eine Datei das ist.',
      },
      useless: {
        en: 'More than half of the file is blank or wrong, so the rest was not read.',
        de: 'Mehr als die Hälfte der Datei ist leer oder falsch, deshalb wurde der Rest nicht gelesen.',
      },
      encoding: {
        en: 'The file has another encoding. Choose another file or encoding.',
        de: 'Die Datei hat einen anderen Zeichensatz. Wählen Sie eine andere Datei oder einen anderen Zeichensatz.',
      },
      notTable: {
        en: 'The file is not a table: its first line does not end.',
        de: 'Die Datei ist keine Tabelle: Ihre erste Zeile endet nicht.',
      },
      table: { en: 'The table cannot be read to its end.', de: 'Die Tabelle ist nicht bis zum Ende lesbar.' },
      cut: {
        en: 'The file ends in the middle. It was probably cut when it was copied or downloaded.',
        de: 'Die Datei endet mittendrin. Wahrscheinlich wurde sie beim Kopieren oder Herunterladen abgeschnitten.',
      },
      xml: { en: 'The file is not valid XML.', de: 'Die Datei ist kein gültiges XML.' },
      gzip: { en: 'The gzip file is damaged.', de: 'Die gzip-Datei ist beschädigt.' },
      noProducts: {
        en: 'A long part of the file has no product.',
        de: 'Ein langer Teil der Datei enthält kein Produkt.',
      },
    },
  },
})

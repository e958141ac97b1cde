import type { ImportWords } from './words.en.ts'

export const words: ImportWords = {
  title: 'Import',
  intro: 'Machen Sie Dateien zu Einträgen oder einen Produkt-Feed zu Produkten. Vorher sehen Sie, was geschehen würde.',
  kinds: { entries: 'Einträge', products: 'Produkte' },
  forbidden: 'Hier können Sie nicht importieren.',
  forbiddenHelp: 'Das geht mit der Rolle Bearbeitung oder Administration. Die Administration kann sie vergeben.',
  drop: 'Dateien für den Import',
  help: 'Markdown (.md), mit oder ohne Front Matter, und JSON Lines (.jsonl). Ordner werden zu Kategorien.',
  visibility: 'Wer Einträge sehen darf, die es nicht angeben',
  keep: 'Intern, oder wie sie sind',
  keepHelp: 'Neue Einträge sind intern; bekannte behalten, was sie haben',
  folder: 'Ordner einzelner Dateien',
  folderHelp:
    'An diesem Namen und dem eigenen werden einzelne Dateien beim nächsten Import erkannt. Ordner haben schon einen Namen.',
  folderFault: 'Geben Sie einen Namen ohne Schrägstriche ein.',
  nothing: 'Darin ist nichts, das sich importieren lässt.',
  nothingHelp: 'Wählen Sie Markdown-Dateien (.md) oder JSON Lines (.jsonl).',
  chosen: (count, text) => (count === 1 ? '1 Datei gewählt' : `${text} Dateien gewählt`),
  checking: 'Es wird geprüft, was geschehen würde. Noch ist nichts gespeichert.',
  importing:
    'Der Import läuft. Sie können jederzeit abbrechen: Was gespeichert ist, bleibt, der Rest kann später folgen.',
  progress: 'Fortschritt',
  checked: 'Das würde geschehen',
  stopped: 'Abgebrochen. Was unten gezählt ist, ist gespeichert.',
  leaving: {
    title: 'Während des Imports verlassen?',
    text: 'Was schon importiert ist, bleibt; der Rest wird nicht importiert. Importieren Sie dieselben Dateien noch einmal, um ihn zu ergänzen: Nichts wird doppelt gespeichert.',
    leave: 'Abbrechen und verlassen',
  },
  stoppedCheck: 'Abgebrochen. Es wurde nichts gespeichert.',
  done: 'Der Import ist fertig.',
  doneWithFaults: 'Der Import ist fertig, aber nicht alles ließ sich importieren.',
  nothingNew: 'Alles ist schon da, und nichts hat sich geändert.',
  counts: {
    created: 'neu',
    updated: 'geändert',
    unchanged: 'unverändert',
    restored: 'aus dem Papierkorb zurück',
    failed: 'nicht möglich',
  },
  ignored: (count, text) =>
    count === 1 ? '1 andere Datei bleibt unberührt.' : `${text} andere Dateien bleiben unberührt.`,
  start: (count, text) => (count === 1 ? '1 Eintrag importieren' : `${text} Einträge importieren`),
  other: 'Andere Dateien wählen',
  cancel: 'Import abbrechen',
  goOn: 'Fortsetzen',
  showEntries: 'Einträge zeigen',
  again: 'Mehr importieren',
  faults: 'Nicht möglich',
  faultsHelp:
    'Die übrigen sind davon nicht betroffen. Beheben Sie die Fehler und importieren Sie erneut: Nichts wird doppelt gespeichert.',
  where: 'Wo',
  why: 'Warum',
  line: (file, line) => `${file}, Zeile ${line}`,
  download: 'Diese Zeilen herunterladen',
  downloadList: 'Liste herunterladen',
  reasons: {
    unreadable: 'Die Datei lässt sich nicht lesen. Vielleicht wurde sie seit der Auswahl verschoben oder geändert.',
    tooLarge: 'Die Datei ist größer, als ein Eintrag sein darf (8 MB).',
    notText: 'Die Datei ist kein Text in UTF-8.',
    frontMatter: 'Die Zeilen zwischen --- am Anfang sind kein gültiges YAML.',
    category: 'So kann die Kategorie nicht heißen.',
    notObject: 'Die Zeile ist kein JSON-Objekt.',
    notJson: 'Die Zeile ist kein gültiges JSON.',
    productTooLarge: 'Das Produkt ist größer, als eines sein darf (2 MB).',
    tooDeep: 'Das Produkt hat mehr als 32 Ebenen.',
    cutRow: 'Die Datei endet mitten in dieser Zeile.',
  },
  feed: {
    noSite: 'Es gibt noch keine Site, die Produkte haben könnte.',
    site: 'Site',
    sync: 'Was die Datei enthält',
    syncs: {
      delta: {
        name: 'Einige Produkte',
        help: 'Fügt die Produkte der Datei hinzu oder ändert sie. Alle anderen bleiben, wie sie sind.',
      },
      full: {
        name: 'Alle Produkte',
        help: 'Entfernt auch die Produkte früherer Dateien, die in dieser fehlen: Niemand findet sie mehr. Sie erfahren vorher, wie viele es sind, und werden gefragt.',
      },
    },
    encoding: 'Zeichensatz der Datei',
    encodingHelp: 'Bei CSV und XML. Wählen Sie einen anderen, wenn Umlaute falsch sind.',
    encodings: { 'utf-8': 'UTF-8', 'windows-1252': 'Windows (windows-1252)', 'utf-16le': 'UTF-16' },
    drop: 'Produkt-Feed für den Import',
    help: 'CSV oder TSV mit Spaltennamen, JSON, JSON Lines oder Google-Merchant-XML; auch mit gzip gepackt (.gz).',
    reading: 'Die Datei wird gelesen. Noch ist nichts gespeichert.',
    checking: 'Die Produkte werden mit denen der Site verglichen. Noch ist nichts gespeichert.',
    stopped: 'Abgebrochen. Was bis dahin gespeichert wurde, bleibt; entfernt wurde nichts.',
    incomplete:
      'Der Import ist unvollständig. Entfernt wurde nichts. Importieren Sie die Datei noch einmal: Was gespeichert ist, wird übersprungen.',
    start: (count, text) =>
      count === 0 ? 'Importieren' : count === 1 ? '1 Produkt importieren' : `${text} Produkte importieren`,
    showRun: 'Abgleiche zeigen',
    other: 'Andere Datei wählen',
    retired: 'entfernt',
    missing: (count, text, site) =>
      count === 1
        ? `1 Produkt früherer Dateien fehlt in dieser. Der Import entfernt es: Niemand findet es mehr in ${site}.`
        : `${text} Produkte früherer Dateien fehlen in dieser. Der Import entfernt sie: Niemand findet sie mehr in ${site}.`,
    missingIds: (ids, more) => (more === '0' ? ids : `${ids} und ${more} weitere`),
    retireTitle: (count, text) => (count === 1 ? '1 Produkt entfernen?' : `${text} Produkte entfernen?`),
    retireText: (site) =>
      `Sie verschwinden aus Listen und Suche von ${site} und kommen zurück, sobald eine spätere Datei sie enthält. Wenn die Datei nur einen Teil Ihrer Produkte enthält, wählen Sie stattdessen „Einige Produkte“.`,
    retire: 'Importieren und entfernen',
    unread: (count) =>
      `Einige Produkte sind nicht lesbar und könnten jedes der Site sein, deshalb würde nichts entfernt; fehlende Produkte, die bleiben: ${count}. Berichtigen Sie zuerst die Datei.`,
    leftAll: (count) =>
      `Es wurde nichts entfernt, weil Produkte nicht lesbar waren oder inzwischen mehr fehlen als vorher; fehlende Produkte, die bleiben: ${count}. Importieren Sie die Datei noch einmal.`,
    unnamed: (count, text) =>
      count === 1
        ? '1 Produkt hat keine eigene Nummer (Spalte id oder external_id). Jeder Import fügt es neu hinzu.'
        : `${text} Produkte haben keine eigene Nummer (Spalte id oder external_id). Jeder Import fügt sie neu hinzu.`,
    unreadPrices: (count, text) =>
      count === 1
        ? '1 Preis ist nicht lesbar. Sein Produkt wird ohne ihn importiert.'
        : `${text} Preise sind nicht lesbar. Ihre Produkte werden ohne sie importiert.`,
    firstFaults: (shown, all) => `Die ersten ${shown} von ${all} sind aufgeführt.`,
    product: (file, place) => `${file}, Produkt ${place}`,
    faultsHelp:
      'Die übrigen sind davon nicht betroffen. Der Download enthält die Produkte als JSON Lines: Berichtigen und importieren Sie ihn.',
    cutFull: 'Was davor kommt, lässt sich importieren. Entfernt wird nichts, weil der Rest fehlt.',
    cutPartial: 'Was davor kommt, lässt sich importieren.',
    cuts: {
      unknown: 'Es ist nicht zu erkennen, was für eine Datei das ist.',
      useless: 'Mehr als die Hälfte der Datei ist leer oder falsch, deshalb wurde der Rest nicht gelesen.',
      encoding: 'Die Datei hat einen anderen Zeichensatz. Wählen Sie eine andere Datei oder einen anderen Zeichensatz.',
      notTable: 'Die Datei ist keine Tabelle: Ihre erste Zeile endet nicht.',
      table: 'Die Tabelle ist nicht bis zum Ende lesbar.',
      cut: 'Die Datei endet mittendrin. Wahrscheinlich wurde sie beim Kopieren oder Herunterladen abgeschnitten.',
      xml: 'Die Datei ist kein gültiges XML.',
      gzip: 'Die gzip-Datei ist beschädigt.',
      noProducts: 'Ein langer Teil der Datei enthält kein Produkt.',
    },
  },
}

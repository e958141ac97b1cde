import { table } from '../table.ts'

/** Texts of the parts that pages share. */
export const partWords = table({
  /** A form with changes that are not saved. */
  unsaved: {
    region: { en: 'Changes that are not saved', de: 'Nicht gespeicherte Änderungen' },
    count: {
      en: (count: number) => (count === 1 ? '1 change is not saved' : `${count} changes are not saved`),
      de: (count) => (count === 1 ? '1 Änderung ist nicht gespeichert' : `${count} Änderungen sind nicht gespeichert`),
    },
    discard: { en: 'Discard', de: 'Verwerfen' },
    /** Asks before a dialog closes with typed text in it. */
    discardTitle: { en: 'Discard what you typed?', de: 'Eingaben verwerfen?' },
    discardText: { en: 'It is not saved.', de: 'Sie sind nicht gespeichert.' },
    keepWriting: { en: 'Keep writing', de: 'Weiterschreiben' },
    leaveTitle: { en: 'Leave without saving?', de: 'Ohne Speichern verlassen?' },
    leaveText: {
      en: 'Your changes on this page are lost then.',
      de: 'Ihre Änderungen auf dieser Seite gehen dann verloren.',
    },
    leave: { en: 'Leave', de: 'Verlassen' },
  },
  /** Another person's change came first. */
  collisions: {
    title: {
      en: 'Somebody else changed this while you were here',
      de: 'Jemand anderes hat das geändert, während Sie hier waren',
    },
    field: {
      en: (name: string, theirs: string, mine: string) => `${name}: they set “${theirs}”, you “${mine}”`,
      de: (name, theirs, mine) => `${name}: dort „${theirs}“, bei Ihnen „${mine}“`,
    },
    empty: { en: 'nothing', de: 'nichts' },
    help: {
      en: 'What you typed is still here and not saved.',
      de: 'Ihre Eingaben sind noch da und nicht gespeichert.',
    },
    take: { en: 'Take over theirs', de: 'Änderung übernehmen' },
    overwrite: { en: 'Overwrite with mine', de: 'Mit meiner überschreiben' },
  },
  table: {
    rows: {
      en: (first: string, last: string, total: string | null) =>
        total === null ? `Rows ${first}–${last}` : `Rows ${first}–${last} of about ${total}`,
      de: (first, last, total) =>
        total === null ? `Zeilen ${first}–${last}` : `Zeilen ${first}–${last} von etwa ${total}`,
    },
    sortBy: { en: (column: string) => `Sort by ${column}`, de: (column) => `Nach ${column} sortieren` },
    selectRow: { en: (row: string) => `Select ${row}`, de: (row) => `${row} auswählen` },
    selectAll: { en: 'Select all rows shown', de: 'Alle angezeigten Zeilen auswählen' },
    selected: { en: (count: string) => `${count} selected`, de: (count) => `${count} ausgewählt` },
    previous: { en: 'Previous page', de: 'Vorherige Seite' },
    next: { en: 'Next page', de: 'Nächste Seite' },
    pages: { en: 'Pages', de: 'Seiten' },
  },
  filters: {
    title: { en: 'Filters', de: 'Filter' },
    remove: { en: (filter: string) => `Remove filter ${filter}`, de: (filter) => `Filter ${filter} entfernen` },
    clear: { en: 'Clear filters', de: 'Filter leeren' },
    nothing: { en: 'Nothing matches these filters.', de: 'Nichts passt zu diesen Filtern.' },
    nothingHelp: { en: 'Remove a filter to see more.', de: 'Entfernen Sie einen Filter, um mehr zu sehen.' },
  },
  tree: {
    move: { en: (name: string) => `Move ${name}`, de: (name) => `${name} verschieben` },
  },
  tags: {
    add: { en: 'Add', de: 'Hinzufügen' },
    remove: { en: (tag: string) => `Remove ${tag}`, de: (tag) => `${tag} entfernen` },
    help: { en: 'Press Enter after each one.', de: 'Drücken Sie nach jedem die Eingabetaste.' },
  },
  files: {
    chooseFolder: { en: 'Choose folder', de: 'Ordner wählen' },
    choose: { en: 'Choose files', de: 'Dateien wählen' },
    drop: { en: 'or drop them here', de: 'oder hier ablegen' },
    refused: {
      en: (name: string) => `“${name}” has a type that is not possible here.`,
      de: (name) => `„${name}“ hat einen Typ, der hier nicht möglich ist.`,
    },
    chosen: {
      en: (count: string) => (count === '1' ? '1 file chosen' : `${count} files chosen`),
      de: (count) => (count === '1' ? '1 Datei gewählt' : `${count} Dateien gewählt`),
    },
  },
  diff: {
    none: { en: 'Nothing differs.', de: 'Es gibt keinen Unterschied.' },
    hidden: { en: (lines: string) => `${lines} unchanged lines`, de: (lines) => `${lines} unveränderte Zeilen` },
  },
  figure: {
    asTable: { en: 'Show as table', de: 'Als Tabelle zeigen' },
    asChart: { en: 'Show as chart', de: 'Als Diagramm zeigen' },
    save: { en: 'Export as CSV', de: 'Als CSV exportieren' },
  },
  copy: {
    copy: { en: 'Copy', de: 'Kopieren' },
    copied: { en: 'Copied', de: 'Kopiert' },
    failed: {
      en: 'Copying failed. Select the text and copy it by hand.',
      de: 'Das Kopieren hat nicht funktioniert. Markieren Sie den Text und kopieren Sie ihn von Hand.',
    },
  },
  /** How far search is behind what was written. */
  searchLag: {
    label: { en: 'Latest texts', de: 'Neueste Texte' },
    none: { en: 'All there', de: 'Alle da' },
    behind: {
      en: (documents: string, seconds: string, why: string) => `${documents} missing for ${seconds} s: ${why}`,
      de: (documents, seconds, why) => `${documents} fehlen seit ${seconds} s: ${why}`,
    },
    building: {
      en: (percent: string) => `the index is being built, ${percent} percent are done`,
      de: (percent) => `der Index wird aufgebaut, ${percent} Prozent sind fertig`,
    },
    reading: { en: 'texts are being read', de: 'Texte werden gelesen' },
    concern: {
      en: (text: string) => `Search lacks the latest texts: ${text}.`,
      de: (text) => `Der Suche fehlen die neuesten Texte: ${text}.`,
    },
  },
  toasts: {
    region: { en: 'Messages', de: 'Meldungen' },
    close: { en: 'Close message', de: 'Meldung schließen' },
  },
})

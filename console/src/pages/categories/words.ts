import { pageWords } from '../../i18n/language.tsx'

export const useCategoriesWords = pageWords({
  title: { en: 'Categories', de: 'Kategorien' },
  intro: { en: 'Every entry has one place in this tree.', de: 'Jeder Eintrag hat einen Platz in diesem Baum.' },
  introMayMove: {
    en: 'Every entry has one place in this tree. Drag a category onto another to move it there, or between two to set their order.',
    de: 'Jeder Eintrag hat einen Platz in diesem Baum. Ziehen Sie eine Kategorie auf eine andere, um sie dorthin zu verschieben, oder zwischen zwei, um sie zu ordnen.',
  },
  tree: { en: 'Categories', de: 'Kategorien' },
  find: { en: 'Find a category', de: 'Kategorie suchen' },
  foundNone: { en: 'No category has this in its name.', de: 'Keine Kategorie hat das in ihrem Namen.' },
  clearFind: { en: 'Show all categories', de: 'Alle Kategorien zeigen' },
  count: { en: (text: string) => `${text} in all`, de: (text) => `${text} insgesamt` },
  found: {
    en: (count: number, text: string) =>
      count > 100 ? `${text} found; the first 100 are shown. Type more to narrow them down.` : `${text} found`,
    de: (count, text) =>
      count > 100
        ? `${text} gefunden, die ersten 100 sind zu sehen. Tippen Sie mehr, um sie einzugrenzen.`
        : `${text} gefunden`,
  },
  more: { en: (count: string) => `Show more (${count} left)`, de: (count) => `Mehr zeigen (noch ${count})` },
  add: { en: 'New category', de: 'Neue Kategorie' },
  empty: { en: 'There are no categories yet.', de: 'Es gibt noch keine Kategorien.' },
  emptyHelp: {
    en: 'Categories are like the chapters of a book: each entry belongs to one.',
    de: 'Kategorien sind wie Kapitel eines Buches: Jeder Eintrag gehört in eine.',
  },
  emptyReader: { en: 'An editor can create them.', de: 'Wer bearbeiten darf, kann sie anlegen.' },
  choose: {
    en: 'Choose a category to see what is in it.',
    de: 'Wählen Sie eine Kategorie, um zu sehen, was darin ist.',
  },
  gone: { en: 'This category does not exist any more.', de: 'Diese Kategorie gibt es nicht mehr.' },
  goneHelp: {
    en: 'Somebody may have merged or deleted it. Choose another one.',
    de: 'Vielleicht wurde sie zusammengeführt oder gelöscht. Wählen Sie eine andere.',
  },
  topLevel: { en: 'Top level', de: 'Oberste Ebene' },
  description: { en: 'Description', de: 'Beschreibung' },
  here: { en: 'In this category', de: 'In dieser Kategorie' },
  withBelow: { en: 'With all below', de: 'Mit allem darunter' },
  entries: {
    en: (count: number, text: string): string => (count === 1 ? '1 entry' : `${text} entries`),
    de: (count, text) => (count === 1 ? '1 Eintrag' : `${text} Einträge`),
  },
  below: { en: 'Categories below', de: 'Kategorien darunter' },
  changed: { en: 'Changed', de: 'Geändert' },
  showEntries: { en: 'Show entries', de: 'Einträge zeigen' },
  writeHere: { en: 'New entry here', de: 'Neuer Eintrag hier' },
  edit: { en: 'Rename', de: 'Umbenennen' },
  addBelow: { en: 'New category below', de: 'Neue Kategorie darunter' },
  move: { en: 'Move', de: 'Verschieben' },
  merge: { en: 'Merge', de: 'Zusammenführen' },
  remove: { en: 'Delete', de: 'Löschen' },
  forbiddenHelp: {
    en: 'You can read the tree. Editors and administrators can change it.',
    de: 'Sie können den Baum lesen. Ändern können ihn Personen mit der Rolle Bearbeitung oder Administration.',
  },
  name: { en: 'Name', de: 'Name' },
  nameNeeded: { en: 'Enter a name.', de: 'Geben Sie einen Namen ein.' },
  descriptionHelp: {
    en: 'What belongs here, for those who write and search.',
    de: 'Was hierher gehört, für alle, die schreiben und suchen.',
  },
  save: { en: 'Save', de: 'Speichern' },
  create: { en: 'Create category', de: 'Kategorie anlegen' },
  createTitle: { en: 'New category', de: 'Neue Kategorie' },
  createBelow: { en: (name: string) => `New category below “${name}”`, de: (name) => `Neue Kategorie unter „${name}“` },
  editTitle: { en: 'Change category', de: 'Kategorie ändern' },
  moveTitle: { en: (name: string) => `Move “${name}”`, de: (name) => `„${name}“ verschieben` },
  moveHelp: {
    en: 'Everything below moves along. Entries stay as they are.',
    de: 'Alles darunter kommt mit. Einträge bleiben, wie sie sind.',
  },
  moveInto: { en: 'Move below', de: 'Verschieben unter' },
  mergeTitle: {
    en: (name: string) => `Merge “${name}” into another category`,
    de: (name) => `„${name}“ mit einer anderen Kategorie zusammenführen`,
  },
  mergeWhat: {
    en: (name: string, entryText: string, categoryText: string) =>
      `${entryText} and ${categoryText} move to the category you choose. “${name}” is then gone.`,
    de: (name, entryText, categoryText) =>
      `${entryText} und ${categoryText} kommen in die Kategorie, die Sie wählen. „${name}“ gibt es danach nicht mehr.`,
  },
  mergeInto: { en: 'Merge into', de: 'Zusammenführen mit' },
  mergeNow: { en: 'Merge', de: 'Zusammenführen' },
  mergeProgress: {
    en: (moved: string, all: string) => `${moved} of ${all} entries have moved.`,
    de: (moved, all) => `${moved} von ${all} Einträgen sind verschoben.`,
  },
  mergeHidden: {
    en: 'Entries that you may not see, such as private notes of others, move too.',
    de: 'Einträge, die Sie nicht sehen dürfen, etwa private Notizen anderer, ziehen mit um.',
  },
  targetNeeded: { en: 'Choose a category.', de: 'Wählen Sie eine Kategorie.' },
  targetHelp: { en: 'Type a part of its name.', de: 'Tippen Sie einen Teil des Namens.' },
  removeTitle: { en: (name: string) => `Delete “${name}”?`, de: (name) => `„${name}“ löschen?` },
  removeText: {
    en: 'The category is empty. Deleting it changes no entry.',
    de: 'Die Kategorie ist leer. Am Bestand der Einträge ändert sich nichts.',
  },
  removeFullTitle: { en: (name: string) => `“${name}” is not empty`, de: (name) => `„${name}“ ist nicht leer` },
  removeFull: {
    en: (entryText: string, categoryText: string) =>
      `It has ${entryText} and ${categoryText} directly in it. Choose where they move; no entry is deleted.`,
    de: (entryText, categoryText) =>
      `Direkt darin: ${entryText} und ${categoryText}. Wählen Sie, wohin das alles kommt; kein Eintrag wird gelöscht.`,
  },
  hiddenLeft: {
    en: 'This category still has entries that you may not see. Merge it into another one: they move there.',
    de: 'In dieser Kategorie liegen noch Einträge, die Sie nicht sehen dürfen. Legen Sie sie mit einer anderen zusammen: Die Einträge ziehen dorthin um.',
  },
  categories: {
    en: (count: number, text: string): string => (count === 1 ? '1 category' : `${text} categories`),
    de: (count, text) => (count === 1 ? '1 Kategorie' : `${text} Kategorien`),
  },
  created: { en: (name: string) => `“${name}” is created.`, de: (name) => `„${name}“ ist angelegt.` },
  saved: { en: 'Saved.', de: 'Gespeichert.' },
  moved: {
    en: (name: string, to: string) => `“${name}” is now below ${to}.`,
    de: (name, to) => `„${name}“ liegt jetzt unter ${to}.`,
  },
  movedTop: {
    en: (name: string) => `“${name}” is now at the top level.`,
    de: (name) => `„${name}“ liegt jetzt auf der obersten Ebene.`,
  },
  merged: {
    en: (name: string, to: string) => `“${name}” is merged into “${to}”.`,
    de: (name, to) => `„${name}“ ist mit „${to}“ zusammengeführt.`,
  },
  removed: { en: (name: string) => `“${name}” is deleted.`, de: (name) => `„${name}“ ist gelöscht.` },
  placed: {
    en: (name: string) => `“${name}” is at its new place.`,
    de: (name) => `„${name}“ ist an ihrem neuen Platz.`,
  },
  moveFailed: {
    en: (name: string) => `“${name}” could not be moved. It is where it was.`,
    de: (name) => `„${name}“ ließ sich nicht verschieben und liegt, wo sie war.`,
  },
})

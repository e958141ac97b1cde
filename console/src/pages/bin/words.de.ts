import type { BinWords } from './words.en.ts'

export const words: BinWords = {
  title: 'Papierkorb',
  intro: 'Gelöschte Einträge. Sie lassen sich wiederherstellen, bis sie endgültig gelöscht werden.',
  table: 'Gelöschte Einträge',
  name: 'Titel',
  deleted: 'Gelöscht',
  purge: 'Endgültig weg',
  visibility: 'Wer es lesen konnte',
  empty: 'Der Papierkorb ist leer',
  emptyHelp: 'Was jemand löscht, bleibt eine Zeit lang hier.',
  forbidden: 'Sie dürfen keine Einträge löschen',
  forbiddenHelp:
    'Deshalb gibt es hier nichts für Sie. Eine Administratorin oder ein Administrator kann Ihnen das Bearbeiten erlauben.',
  selected: (count) => `${count} ausgewählt`,
  restore: 'Wiederherstellen',
  purgeNow: 'Endgültig löschen',
  purgeTitle: (count) => (count === 1 ? '1 Eintrag endgültig löschen?' : `${count} Einträge endgültig löschen?`),
  purgeText: 'Sie verschwinden mit allen Fassungen. Nichts bringt sie zurück.',
  restored: (count) => (count === 1 ? '1 Eintrag ist wieder da.' : `${count} Einträge sind wieder da.`),
  purged: (count) => (count === 1 ? '1 Eintrag ist endgültig weg.' : `${count} Einträge sind endgültig weg.`),
  failed: (count) => (count === 1 ? '1 Eintrag bleibt im Papierkorb:' : `${count} Einträge bleiben im Papierkorb:`),
  homeless: 'Die Kategorie oder der Arbeitsbereich wurde gelöscht.',
}

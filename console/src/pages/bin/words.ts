import { pageWords } from '../../i18n/language.tsx'

export const useBinWords = pageWords({
  title: { en: 'Bin', de: 'Papierkorb' },
  intro: {
    en: 'Deleted entries. They can be restored until they are deleted for good.',
    de: 'Gelöschte Einträge. Sie lassen sich wiederherstellen, bis sie endgültig gelöscht werden.',
  },
  table: { en: 'Deleted entries', de: 'Gelöschte Einträge' },
  name: { en: 'Title', de: 'Titel' },
  deleted: { en: 'Deleted', de: 'Gelöscht' },
  purge: { en: 'Gone for good', de: 'Endgültig weg' },
  visibility: { en: 'Who could read it', de: 'Wer es lesen konnte' },
  empty: { en: 'The bin is empty', de: 'Der Papierkorb ist leer' },
  emptyHelp: {
    en: 'What somebody deletes rests here for some time.',
    de: 'Was jemand löscht, bleibt eine Zeit lang hier.',
  },
  forbidden: { en: 'You may not delete entries', de: 'Sie dürfen keine Einträge löschen' },
  forbiddenHelp: {
    en: 'So there is nothing here for you. An administrator can make you an editor.',
    de: 'Deshalb gibt es hier nichts für Sie. Eine Administratorin oder ein Administrator kann Ihnen das Bearbeiten erlauben.',
  },
  selected: { en: (count: string) => `${count} selected`, de: (count) => `${count} ausgewählt` },
  restore: { en: 'Restore', de: 'Wiederherstellen' },
  purgeNow: { en: 'Delete for good', de: 'Endgültig löschen' },
  purgeTitle: {
    en: (count: number) => (count === 1 ? 'Delete 1 entry for good?' : `Delete ${count} entries for good?`),
    de: (count) => (count === 1 ? '1 Eintrag endgültig löschen?' : `${count} Einträge endgültig löschen?`),
  },
  purgeText: {
    en: 'They go with all their versions. Nothing brings them back.',
    de: 'Sie verschwinden mit allen Fassungen. Nichts bringt sie zurück.',
  },
  restored: {
    en: (count: number) => (count === 1 ? '1 entry is back.' : `${count} entries are back.`),
    de: (count) => (count === 1 ? '1 Eintrag ist wieder da.' : `${count} Einträge sind wieder da.`),
  },
  purged: {
    en: (count: number) => (count === 1 ? '1 entry is gone for good.' : `${count} entries are gone for good.`),
    de: (count) => (count === 1 ? '1 Eintrag ist endgültig weg.' : `${count} Einträge sind endgültig weg.`),
  },
  failed: {
    en: (count: number) => (count === 1 ? '1 entry stays in the bin:' : `${count} entries stay in the bin:`),
    de: (count) => (count === 1 ? '1 Eintrag bleibt im Papierkorb:' : `${count} Einträge bleiben im Papierkorb:`),
  },
  homeless: {
    en: 'Its category or workspace was deleted.',
    de: 'Die Kategorie oder der Arbeitsbereich wurde gelöscht.',
  },
})

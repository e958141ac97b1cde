import { pageWords } from '../../i18n/language.tsx'

export const useVersionsWords = pageWords({
  title: { en: 'Versions', de: 'Fassungen' },
  intro: {
    en: (entry: string) =>
      `Earlier states of “${entry}”. Restoring one saves it as the newest version; nothing is lost.`,
    de: (entry) =>
      `Frühere Stände von „${entry}“. Eine Wiederherstellung wird als neueste Fassung gespeichert, nichts geht verloren.`,
  },
  now: { en: 'Now', de: 'Jetzt' },
  version: { en: (number: string) => `Version ${number}`, de: (number) => `Fassung ${number}` },
  list: { en: 'Versions', de: 'Fassungen' },
  none: { en: 'There are no earlier versions yet', de: 'Es gibt noch keine früheren Fassungen' },
  noneHelp: {
    en: 'Each time somebody saves a change, the state before it is kept here.',
    de: 'Jedes Mal, wenn jemand eine Änderung speichert, bleibt der Stand davor hier erhalten.',
  },
  compare: { en: 'What is compared', de: 'Was verglichen wird' },
  views: {
    now: { en: 'With the newest', de: 'Mit der neuesten' },
    before: { en: 'With the one before', de: 'Mit der vorigen' },
    text: { en: 'Whole text', de: 'Ganzer Text' },
  },
  restore: { en: 'Restore this version', de: 'Diese Fassung wiederherstellen' },
  restoreTitle: { en: 'Restore this version?', de: 'Diese Fassung wiederherstellen?' },
  restoreText: {
    en: (number: string) =>
      `The entry gets the title, text and details of version ${number}. What it is now stays in the versions.`,
    de: (number) =>
      `Der Eintrag bekommt Titel, Text und Angaben der Fassung ${number}. Sein jetziger Stand bleibt unter den Fassungen.`,
  },
  restored: { en: 'Restored.', de: 'Wiederhergestellt.' },
  conflict: {
    en: 'Somebody saved the entry meanwhile. Look at the newest state, then restore again.',
    de: 'Jemand hat den Eintrag inzwischen gespeichert. Sehen Sie den neuesten Stand an und stellen Sie dann wieder her.',
  },
  missing: { en: 'This entry does not exist', de: 'Diesen Eintrag gibt es nicht' },
  missingHelp: {
    en: 'It was deleted, or you may not read it.',
    de: 'Er wurde gelöscht, oder Sie dürfen ihn nicht lesen.',
  },
  edit: { en: 'Edit', de: 'Bearbeiten' },
  read: { en: 'Read', de: 'Lesen' },
  first: { en: 'This is the first version that you may see.', de: 'Das ist die erste Fassung, die Sie sehen dürfen.' },
})

import type { VersionsWords } from './words.en.ts'

export const words: VersionsWords = {
  title: 'Fassungen',
  intro: (entry) =>
    `Frühere Stände von „${entry}“. Eine Wiederherstellung wird als neueste Fassung gespeichert, nichts geht verloren.`,
  now: 'Jetzt',
  version: (number) => `Fassung ${number}`,
  list: 'Fassungen',
  none: 'Es gibt noch keine früheren Fassungen',
  noneHelp: 'Jedes Mal, wenn jemand eine Änderung speichert, bleibt der Stand davor hier erhalten.',
  compare: 'Was verglichen wird',
  views: { now: 'Mit der neuesten', before: 'Mit der vorigen', text: 'Ganzer Text' },
  restore: 'Diese Fassung wiederherstellen',
  restoreTitle: 'Diese Fassung wiederherstellen?',
  restoreText: (number) =>
    `Der Eintrag bekommt Titel, Text und Angaben der Fassung ${number}. Sein jetziger Stand bleibt unter den Fassungen.`,
  restored: 'Wiederhergestellt.',
  conflict:
    'Jemand hat den Eintrag inzwischen gespeichert. Sehen Sie den neuesten Stand an und stellen Sie dann wieder her.',
  missing: 'Diesen Eintrag gibt es nicht',
  missingHelp: 'Er wurde gelöscht, oder Sie dürfen ihn nicht lesen.',
  edit: 'Bearbeiten',
  read: 'Lesen',
  first: 'Das ist die erste Fassung, die Sie sehen dürfen.',
}

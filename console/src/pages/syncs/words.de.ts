import type { SyncsWords } from './words.en.ts'

const products = (count: string) => (count === '1' ? '1 Produkt' : `${count} Produkte`)
const stay = (count: string) => (count === '1' ? '1 Produkt bleibt.' : `${count} Produkte bleiben.`)

export const words: SyncsWords = {
  title: 'Abgleiche',
  intro: 'Wann Ihr Shop seine Produkte gesendet hat und was sich dadurch geändert hat.',
  site: 'Site',
  list: 'Abgleiche',
  when: 'Wann',
  kind: 'Umfang',
  full: 'Alle Produkte',
  delta: 'Nur Änderungen',
  by: 'Gesendet von',
  commandLine: 'Import auf dem Server',
  gone: 'Schlüssel oder Person gibt es nicht mehr',
  result: 'Ergebnis',
  status: { running: 'Läuft', finished: 'Fertig', broken_off: 'Abgebrochen' },
  changed: 'Was sich geändert hat',
  created: (count) => `${count} neu`,
  updated: (count) => `${count} geändert`,
  unchanged: (count) => `${count} unverändert`,
  retired: (count) => `${count} entfernt`,
  failed: (count) => `${count} abgelehnt`,
  nothing: 'Nichts',
  brokenOff:
    'Der Shop hat mittendrin aufgehört zu senden. Was bis dahin ankam, ist gespeichert; entfernt wurde nichts.',
  brokenOffDelta: 'Der Shop hat mittendrin aufgehört zu senden. Was bis dahin ankam, ist gespeichert.',
  refusals: {
    empty: (count) =>
      `Der Feed war leer, deshalb wurde nichts entfernt. ${stay(count)} Prüfen Sie den Feed und senden Sie ihn noch einmal.`,
    unread: (count) =>
      `Eine Zeile war nicht lesbar und könnte jedes Produkt meinen, deshalb wurde nichts entfernt. ${stay(count)} Berichtigen Sie den Feed und senden Sie ihn noch einmal.`,
    'too many': (count) =>
      `Im Feed fehlten ${products(count)}, mehr, als auf einmal entfernt werden dürfen. Deshalb wurde nichts entfernt. Wenn sie wirklich weg sind, senden Sie den Feed noch einmal und erlauben Sie es mit „max_retired“.`,
    stopped: (count) => `Das Entfernen brach unterwegs ab. Übrig: ${products(count)}. Senden Sie den Feed noch einmal.`,
    useless: 'Mehr als die Hälfte der Zeilen war falsch, deshalb wurde der Rest nicht gelesen.',
  },
  failures: 'Abgelehnte Zeilen',
  firstFailures: (count) => `Die ersten ${count} abgelehnten Zeilen`,
  line: (line) => `Zeile ${line}`,
  field: (field) => `Feld „${field}“`,
  wholeLine: 'Zeile nicht lesbar',
  show: 'Abgelehnte Zeilen zeigen',
  hide: 'Abgelehnte Zeilen ausblenden',
  empty: 'Es wurden noch keine Produkte gesendet.',
  emptyHelp: 'Sobald Ihr Shop Produkte an diese Site sendet, steht hier jeder Abgleich.',
  forbidden: 'Ihre Rolle darf Abgleiche nicht sehen.',
  forbiddenHelp:
    'Redaktion und Administration dürfen es. Fragen Sie eine Administratorin oder einen Administrator Ihrer Organisation.',
}

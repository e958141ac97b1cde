import { pageWords } from '../../i18n/language.tsx'

const products = {
  en: (count: string) => (count === '1' ? '1 product' : `${count} products`),
  de: (count: string) => (count === '1' ? '1 Produkt' : `${count} Produkte`),
}

const stay = (count: string) => (count === '1' ? '1 Produkt bleibt.' : `${count} Produkte bleiben.`)

export const useSyncsWords = pageWords({
  title: { en: 'Sync runs', de: 'Abgleiche' },
  intro: {
    en: 'When your shop sent its products, and what that changed.',
    de: 'Wann Ihr Shop seine Produkte gesendet hat und was sich dadurch geändert hat.',
  },
  site: { en: 'Site', de: 'Site' },
  list: { en: 'Sync runs', de: 'Abgleiche' },
  when: { en: 'When', de: 'Wann' },
  kind: { en: 'Kind', de: 'Umfang' },
  full: { en: 'All products', de: 'Alle Produkte' },
  delta: { en: 'Changes only', de: 'Nur Änderungen' },
  by: { en: 'Sent by', de: 'Gesendet von' },
  commandLine: { en: 'Import on the server', de: 'Import auf dem Server' },
  gone: { en: 'A key or person that no longer exists', de: 'Schlüssel oder Person gibt es nicht mehr' },
  result: { en: 'Result', de: 'Ergebnis' },
  status: {
    running: { en: 'Running', de: 'Läuft' },
    finished: { en: 'Finished', de: 'Fertig' },
    broken_off: { en: 'Broken off', de: 'Abgebrochen' },
  },
  changed: { en: 'What changed', de: 'Was sich geändert hat' },
  created: { en: (count: string) => `${count} new`, de: (count) => `${count} neu` },
  updated: { en: (count: string) => `${count} updated`, de: (count) => `${count} geändert` },
  unchanged: { en: (count: string) => `${count} unchanged`, de: (count) => `${count} unverändert` },
  retired: { en: (count: string) => `${count} retired`, de: (count) => `${count} entfernt` },
  failed: { en: (count: string) => `${count} refused`, de: (count) => `${count} abgelehnt` },
  nothing: { en: 'Nothing', de: 'Nichts' },
  brokenOff: {
    en: 'The shop stopped sending in the middle. What arrived until then is stored; nothing was retired.',
    de: 'Der Shop hat mittendrin aufgehört zu senden. Was bis dahin ankam, ist gespeichert; entfernt wurde nichts.',
  },
  brokenOffDelta: {
    en: 'The shop stopped sending in the middle. What arrived until then is stored.',
    de: 'Der Shop hat mittendrin aufgehört zu senden. Was bis dahin ankam, ist gespeichert.',
  },
  refusals: {
    empty: {
      en: (count: string) =>
        `The feed was empty, so nothing was retired. ${products.en(count)} stay. Check the feed and send it again.`,
      de: (count) =>
        `Der Feed war leer, deshalb wurde nichts entfernt. ${stay(count)} Prüfen Sie den Feed und senden Sie ihn noch einmal.`,
    },
    unread: {
      en: (count: string) =>
        `A line could not be read and may name any product, so nothing was retired. ${products.en(count)} stay. Correct the feed and send it again.`,
      de: (count) =>
        `Eine Zeile war nicht lesbar und könnte jedes Produkt meinen, deshalb wurde nichts entfernt. ${stay(count)} Berichtigen Sie den Feed und senden Sie ihn noch einmal.`,
    },
    'too many': {
      en: (count: string) =>
        `${products.en(count)} were missing from the feed, more than may be retired at once, so nothing was retired. If they are gone for good, send the feed again and allow it with “max_retired”.`,
      de: (count) =>
        `Im Feed fehlten ${products.de(count)}, mehr, als auf einmal entfernt werden dürfen. Deshalb wurde nichts entfernt. Wenn sie wirklich weg sind, senden Sie den Feed noch einmal und erlauben Sie es mit „max_retired“.`,
    },
    stopped: {
      en: (count: string) => `Retiring stopped on the way. ${products.en(count)} are left. Send the feed again.`,
      de: (count) => `Das Entfernen brach unterwegs ab. Übrig: ${products.de(count)}. Senden Sie den Feed noch einmal.`,
    },
    useless: {
      en: 'More than half of the lines were wrong, so the rest was not read.',
      de: 'Mehr als die Hälfte der Zeilen war falsch, deshalb wurde der Rest nicht gelesen.',
    },
  },
  failures: { en: 'Refused lines', de: 'Abgelehnte Zeilen' },
  firstFailures: {
    en: (count: string) => `The first ${count} refused lines`,
    de: (count) => `Die ersten ${count} abgelehnten Zeilen`,
  },
  line: { en: (line: string) => `Line ${line}`, de: (line) => `Zeile ${line}` },
  field: { en: (field: string) => `field “${field}”`, de: (field) => `Feld „${field}“` },
  wholeLine: { en: 'the line cannot be read', de: 'Zeile nicht lesbar' },
  show: { en: 'Show refused lines', de: 'Abgelehnte Zeilen zeigen' },
  hide: { en: 'Hide refused lines', de: 'Abgelehnte Zeilen ausblenden' },
  empty: { en: 'No products were sent yet.', de: 'Es wurden noch keine Produkte gesendet.' },
  emptyHelp: {
    en: 'As soon as your shop sends products to this site, each run is listed here.',
    de: 'Sobald Ihr Shop Produkte an diese Site sendet, steht hier jeder Abgleich.',
  },
  forbidden: { en: 'Your role may not see sync runs.', de: 'Ihre Rolle darf Abgleiche nicht sehen.' },
  forbiddenHelp: {
    en: 'Editors and administrators may. Ask an administrator of your organisation.',
    de: 'Redaktion und Administration dürfen es. Fragen Sie eine Administratorin oder einen Administrator Ihrer Organisation.',
  },
})

import { createHash } from 'node:crypto'
import { type Destination, destinationOf } from '../clients/redirect-uri.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that turn the direction of the text around them. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g

const escaped = (text: string): string =>
  text.replaceAll(TURNING, '\uFFFD').replaceAll(/[&<>"']/g, (character) => ESCAPES[character])

interface Words {
  readonly title: string
  readonly faulty: string
  readonly faultyHelp: string
  readonly tooMany: string
  readonly tooManyHelp: (seconds: number) => string
  readonly denied: string
  readonly deniedHelp: string
  readonly back: Readonly<Record<Destination['kind'], (name: string) => string>>
}

const WORDS: Readonly<Record<'en' | 'de', Words>> = {
  en: {
    title: 'Request refused',
    faulty: 'This request cannot be authorized',
    faultyHelp:
      'The application that sent you here made a faulty request, or was removed here. Nothing was granted. Connect it ' +
      'again. If that does not help, tell its makers this:',
    tooMany: 'Too many requests',
    tooManyHelp: (seconds) =>
      'Too many requests to authorize came from your address. Nothing was granted. Go back to the application and try ' +
      `again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    denied: 'Nothing was granted',
    deniedHelp:
      'You can close this page. Nobody in your organisation checked the application that asked, so you are not sent ' +
      'back to it automatically. If you trust it, you can tell it that you refused:',
    back: {
      site: (host) => `Go to ${host}`,
      machine: (host) => `Go to the program on this computer (${host})`,
      app: (scheme) => `Open the app for ${scheme}: addresses`,
    },
  },
  de: {
    title: 'Anfrage abgelehnt',
    faulty: 'Diese Anfrage kann nicht erlaubt werden',
    faultyHelp:
      'Die Anwendung, die Sie hierher geschickt hat, hat eine fehlerhafte Anfrage gestellt oder wurde hier entfernt. ' +
      'Nichts wurde erlaubt. Verbinden Sie sie neu. Wenn das nicht hilft, nennen Sie den Herstellern dies:',
    tooMany: 'Zu viele Anfragen',
    tooManyHelp: (seconds) =>
      'Von Ihrer Adresse kamen zu viele Anfragen. Nichts wurde erlaubt. Gehen Sie zurück zur Anwendung und versuchen ' +
      `Sie es in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} noch einmal.`,
    denied: 'Nichts wurde erlaubt',
    deniedHelp:
      'Sie können diese Seite schließen. Niemand in Ihrer Organisation hat die Anwendung geprüft, die gefragt hat; ' +
      'darum werden Sie nicht automatisch zurückgeleitet. Wenn Sie ihr vertrauen, können Sie ihr die Ablehnung mitteilen:',
    back: {
      site: (host) => `Zu ${host}`,
      machine: (host) => `Zum Programm auf diesem Rechner (${host})`,
      app: (scheme) => `Die App für Adressen mit ${scheme}: öffnen`,
    },
  },
}

// The console's look, inlined: a page has to work even when the browser can load nothing else.
const STYLE = `:root { color-scheme: light dark; --ground: #f5f6f7; --surface: #fff; --text: #1a2126; --line: #dfe3e6 }
@media (prefers-color-scheme: dark) { :root { --ground: #12161a; --surface: #191e23; --text: #e7eaec; --line: #2d353c } }
body { margin: 0; padding: 10vh 1rem 3rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 25rem; margin: 0 auto; padding: 2rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--surface); overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25 }
p { margin: 1rem 0 0 }`

/** Content-Security-Policy of these pages: allows their inline style and nothing else. */
export const ERROR_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`

/**
 * Returns the page for a request to authorize that fails without a redirect to the client.
 * @param languages the browser's Accept-Language header
 */
export function errorPage(error: string, description: string | undefined, languages: string | undefined): string {
  const report = `<code>${escaped(error)}</code>${description === undefined ? '' : ` ${escaped(description)}`}`
  return page(languages, ({ faulty, faultyHelp }) => [faulty, `<p>${faultyHelp}</p>\n<p lang="en">${report}</p>`])
}

/**
 * Returns the page for too many requests to authorize from one address.
 * @param seconds time after which the person may try again
 * @param languages the browser's Accept-Language header
 */
export function tooManyPage(seconds: number, languages: string | undefined): string {
  return page(languages, ({ tooMany, tooManyHelp }) => [tooMany, `<p>${tooManyHelp(seconds)}</p>`])
}

/**
 * Returns the page for a person who denied an application that no API key of the tenant registered.
 * @param back the address that tells the application of the denial; the page links to it
 * @param languages the browser's Accept-Language header
 */
export function deniedPage(back: string, languages: string | undefined): string {
  const { kind, name } = destinationOf(back)
  return page(languages, (words) => [
    words.denied,
    `<p>${words.deniedHelp}</p>\n<p><a href="${escaped(back)}" rel="noreferrer">${escaped(words.back[kind](name))}</a></p>`,
  ])
}

function page(languages: string | undefined, of: (words: Words) => readonly [heading: string, text: string]): string {
  // Browsers send the preferred language first.
  const language = /^\s*de\b/i.test(languages ?? '') ? 'de' : 'en'
  const [heading, text] = of(WORDS[language])
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${WORDS[language].title}</title>
<style>${STYLE}</style></head>
<body>
<main>
<h1>${heading}</h1>
${text}
</main>
</body>
</html>
`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character])

/** What a person sees when a request to authorize is so wrong that nobody can be sent back to the client. */
export function errorPage(error: string, description: string | undefined): string {
  const tell = `<code>${escaped(error)}</code>${description === undefined ? '' : ` ${escaped(description)}`}`
  return page(
    'This request cannot be authorized',
    `<p>The application that sent you here made a faulty request. Nothing was granted. Go back to it and try again; if that
does not help, tell its makers this:</p>
<p>${tell}</p>`,
  )
}

/** What a person sees when too many requests to authorize come from where they are. */
export function tooManyPage(seconds: number): string {
  return page(
    'Too many requests',
    `<p>Too many requests to authorize came from your address. Nothing was granted. Go back to the application and try
again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.</p>`,
  )
}

const page = (heading: string, text: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Request refused</title></head>
<body>
<main>
<h1>${heading}</h1>
${text}
</main>
</body>
</html>
`

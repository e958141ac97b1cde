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
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Request refused</title></head>
<body>
<main>
<h1>This request cannot be authorized</h1>
<p>The application that sent you here made a faulty request. Nothing was granted. Go back to it and try again; if that
does not help, tell its makers this:</p>
<p><code>${escaped(error)}</code>${description === undefined ? '' : ` ${escaped(description)}`}</p>
</main>
</body>
</html>
`
}

/**
 * Lets the browser save a text as a file. A plain link could not request it from the service, because it sends no
 * credential.
 */
export function saveFile(name: string, text: string, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then; Safari needs the address a moment longer.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

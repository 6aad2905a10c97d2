/** Has the browser save a text as a file. */
export function saveText({ name, text }: { name: string; text: string }) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // The browser reads it in a task of its own.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A field that was sent once. Of two, somebody else might have read the other: then it is empty, as if not sent. */
export function onlyField(fields: URLSearchParams, name: string) {
  const [value = '', ...more] = fields.getAll(name)
  return more.length === 0 ? value : ''
}

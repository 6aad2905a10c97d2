/** The members of what a provider has answered; none of what is no object. */
export function fieldsOf(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

// Longer than any name or address that a provider gives.
const longest = 1024

export function textOf(value: unknown) {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined
}

/** The number that a provider knows somebody by. One that JSON has rounded might be somebody else's. */
export function numberOf(value: unknown) {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
  return isNumber ? String(value) : undefined
}

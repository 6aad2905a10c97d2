/** The ways in which a text may be written somewhere. */
function spellingsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const spellings = [
    text,
    text.toUpperCase(),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    ...[0, 1, 2].flatMap((offset) => inBase64(bytes, offset)),
  ]
  return [...new Set(spellings)]
}

/** As it stands in the base64 of something longer that it begins in at that byte of three. */
function inBase64(bytes: Buffer, offset: number) {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const whole = text.slice(offset === 0 ? 0 : offset + 1).replace(/=+$/, '')
  // The last character has bits of what follows.
  const core = (bytes.length + offset) % 3 === 0 ? whole : whole.slice(0, -1)
  return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

// Whatever is shorter is found in a long text by chance, but for where it stands alone.
const longEnough = 16

/** Those of the secrets that are in the text, in whatever spelling. */
export function foundIn(text: string, secrets: Iterable<string>): string[] {
  return [...secrets].filter((secret) =>
    secret.length < longEnough
      ? standsIn(text, secret)
      : spellingsOf(secret).some((spelling) => text.includes(spelling)),
  )
}

function standsIn(text: string, secret: string) {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + secret.length] ?? ' '}`
    if (!/[\w.+-]/.test(around)) return true
  }
  return false
}

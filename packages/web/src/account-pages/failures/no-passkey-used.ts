import type { Say } from '../words/say.ts'
/** A browser tells neither whether its dialog was closed nor whether it found no passkey. */
export function noPasskeyUsed(say: Say) {
  return say('No passkey was used.')
}

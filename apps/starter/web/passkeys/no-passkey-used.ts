/** A browser tells neither whether its dialog was closed nor whether it found no passkey. */
export const noPasskeyUsed = 'No passkey was used.'

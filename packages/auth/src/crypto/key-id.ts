/** What a device may call its key. */
export const keyIdPattern = /^[A-Za-z0-9._-]{8,64}$/

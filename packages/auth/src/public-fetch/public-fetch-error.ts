/** It could not be read. Its text is for the log: what went wrong, without the address. */
export class PublicFetchError extends Error {
  override readonly name = 'PublicFetchError'
}

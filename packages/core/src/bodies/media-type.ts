/** The type of unknown bytes (RFC 2046, section 4.5.1). */
const unknownType = 'application/octet-stream'

/** Type and subtype of a `Content-Type`, in lower case and without parameters. */
export function mediaType(header: string | undefined) {
  const [type = ''] = (header ?? '').split(';')
  return type.trim().toLowerCase() || unknownType
}

/**
 * Whether a media type is one of these, where `image/*` means all images. Without a list, all are.
 */
export function takesType(types: readonly string[] | undefined, type: string) {
  return !types || types.some((each) => isOf(each.toLowerCase(), type))
}

function isOf(pattern: string, type: string) {
  return pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern
}

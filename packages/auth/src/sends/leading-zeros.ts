/** How many zero bits a hash begins with. */
export function leadingZeros(hash: Uint8Array) {
  const at = hash.findIndex((byte) => byte !== 0)
  return at === -1 ? hash.length * 8 : at * 8 + Math.clz32(hash[at] as number) - 24
}

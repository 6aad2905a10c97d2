/** A life that is over before it is written still has to be one that Redis accepts. */
export function wholeMillis(ttlMillis) {
    return Math.max(1, Math.ceil(ttlMillis));
}

/** Each application of the bench has a copy of its own, which is what is saved. */
export const word = 'first'

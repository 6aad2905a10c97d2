/**
 * Whether a page of this origin has sent the request, as far as the browser says. A sibling host of the domain can plant
 * a cookie, but not this.
 */
export function isSentByOwnPage({ headers }: Request) {
  const site = headers.get('sec-fetch-site') ?? 'same-origin'
  return site === 'same-origin'
}

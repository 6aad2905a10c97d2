import { html } from '@svc/core/html'
import { inert } from './inert.ts'
import { brandPlace, fonts } from './mail-page.ts'
import type { Content } from './template.ts'

/** Your product, above each mail. */
export interface MailBrand {
  /** Its name. */
  name: string
  /**
   * Your logo, in place of the name: an `http:` or `https:` address of an image, shown 32 pixels high. It must be
   * readable on a light and on a dark background.
   */
  logoUrl?: string
}

/** Draws the brand into a mail of our design. A mail of another design stays as it is. */
export function brandWriter(brand: MailBrand | undefined) {
  const markup = brand ? drawBrand(brand) : ''
  return (content: Content): Content => {
    if (!content.html?.includes(brandPlace)) return content
    const branded = content.html.replace(brandPlace, () => markup)
    // The separator of a signature (RFC 3676, 4.3).
    const text = brand ? `${content.text}\n-- \n${inert(brand.name)}\n` : content.text
    return { ...content, html: branded, text }
  }
}

function drawBrand({ name, logoUrl }: MailBrand) {
  const shown = inert(name)
  const mark =
    logoUrl === undefined
      ? html`${shown}`
      : html`<img src="${imageAddress(logoUrl)}" alt="${shown}" height="32" style="${logoStyle}">`
  return html`<tr>
<td class="brand" style="${brandStyle}">${mark}</td>
</tr>
`.toString()
}

/** Refused when the server starts: later, no mail could be written. */
function imageAddress(logoUrl: string) {
  const parsed = URL.parse(logoUrl)
  if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return parsed.href
  throw new Error('brand.logoUrl must be an http: or https: address: mail programs load it.')
}

// A program that shows no images shows the name, in the same letters.
const brandStyle = `padding:0 4px 20px;font-family:${fonts};font-size:17px;line-height:32px;font-weight:600;color:#16181d;text-align:left`
const logoStyle = `display:block;height:32px;width:auto;border:0`

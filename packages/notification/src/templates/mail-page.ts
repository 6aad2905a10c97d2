import { Html, html } from '@svc/core/html'
import { Piece, textOf } from './piece.ts'
import type { Content } from './template.ts'
import { webAddress } from './web-address.ts'

interface Page {
  lang: string
  title: string
  /** Between the title and the note, one below the other. */
  body: readonly Html[]
  note?: string | undefined
}

/** A mail of these parts, as text and as HTML. Its title is its subject. */
export function mailContent(page: Page): Content {
  const parts = [page.title, ...page.body.map(textOf), page.note]
  return {
    subject: page.title,
    text: `${parts.filter(Boolean).join('\n\n')}\n`,
    html: mailPage(page),
  }
}

/** Where a mail has the brand. Facts can't contain it, because they are escaped. */
export const brandPlace = '<!-- brand -->\n'

/** The design of every mail: one card, light or dark as the reader's device is. */
export function mailPage({ lang, title, body, note }: Page): string {
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #121316 !important; }
  .card { background: #1c1e22 !important; border-color: #30333a !important; }
  .title, .code, .brand { color: #f2f3f5 !important; }
  .words { color: #c3c7ce !important; }
  .note { color: #979ca6 !important; border-color: #30333a !important; }
  .code { background: #282b31 !important; }
  .detail { color: #f2f3f5 !important; }
  .button { background: #f2f3f5 !important; }
  .label { color: #16181d !important; }
  .address { color: #979ca6 !important; }
}
@media (max-width: 520px) {
  .frame { padding: 16px 12px !important; }
  .card { padding: 28px 20px !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr>
<td class="page frame" align="center" style="padding:48px 24px;background:#f3f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px">
${new Html(brandPlace)}<tr>
<td class="card" style="${cardStyle}">
<h1 class="title" style="${titleStyle}">${title}</h1>
${body}${note === undefined ? '' : drawNote(note)}</td>
</tr>
</table>
</td>
</tr>
</table>
</body>
</html>
`.toString()
}

function drawNote(note: string) {
  return html`<p class="note" style="${noteStyle}">${note}</p>
`
}

/** A sentence or two. */
export function paragraph(text: string) {
  const markup = html`<p class="words" style="${wordsStyle}">${text}</p>
`
  return new Piece(markup, text)
}

/** A code to copy, as large as fits on a phone. */
export function codeBox(code: string) {
  const markup = html`<p class="code" style="${codeStyle}">${code}</p>
`
  return new Piece(markup, `    ${code}`)
}

/**
 * A button, and below it the address itself, to copy to another device. Throws unless it is `http:`
 * or `https:`.
 */
export function actionButton(label: string, url: string) {
  const address = webAddress(url)
  const markup = html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
<tr>
<td class="button" style="${buttonStyle}"><a class="label" href="${address}" style="${labelStyle}">${label}</a></td>
</tr>
</table>
<p class="address" style="${addressStyle}">${address}</p>
`
  return new Piece(markup, `${label}:\n${address}`)
}

/** A label and its value; one whose value is unknown or empty is left out. */
export type Detail = readonly [name: string, value: string | undefined]

/** A list of names with their values. */
export function detailList(details: readonly Detail[]) {
  const known = details.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  const text = known.map(([name, value]) => `    ${name}: ${value}`).join('\n')
  return new Piece(known.length === 0 ? html`` : drawDetails(known), text)
}

function drawDetails(details: readonly (readonly [name: string, value: string])[]) {
  const rows = details.map(
    ([name, value]) => html`<tr>
<td class="note" style="${nameStyle}">${name}</td>
<td class="detail" style="${valueStyle}">${value}</td>
</tr>
`,
  )
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">
${rows}</table>
`
}

// Inline, because several mail programs drop <style>. The <style> element only adds improvements.
export const fonts = `-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Apple SD Gothic Neo', 'Noto Sans KR', sans-serif`
const monospace = `ui-monospace, SFMono-Regular, Menlo, Consolas, monospace`
const cardStyle = `padding:40px;background:#ffffff;border:1px solid #e2e4e9;border-radius:12px;font-family:${fonts};text-align:left`
const titleStyle = `margin:0 0 12px;font-size:22px;line-height:1.35;font-weight:600;color:#16181d;word-break:keep-all`
const wordsStyle = `margin:0 0 20px;font-size:16px;line-height:1.6;color:#3d424d;word-break:keep-all`
const codeStyle = `margin:0 0 20px;padding:18px 12px;background:#f3f4f6;border-radius:8px;font-family:${monospace};font-size:32px;line-height:1.2;font-weight:600;letter-spacing:6px;text-indent:6px;text-align:center;color:#16181d`
const buttonStyle = `background:#16181d;border-radius:8px`
const labelStyle = `display:inline-block;padding:13px 24px;font-size:16px;line-height:1.3;font-weight:600;color:#ffffff;text-decoration:none`
const addressStyle = `margin:0 0 20px;font-size:13px;line-height:1.5;color:#6a707c;word-break:break-all`
const nameStyle = `padding:6px 16px 6px 0;font-size:14px;line-height:1.5;color:#6a707c;vertical-align:top;white-space:nowrap`
const valueStyle = `width:100%;padding:6px 0;font-size:15px;line-height:1.45;color:#16181d;vertical-align:top;overflow-wrap:anywhere`
const noteStyle = `margin:28px 0 0;padding-top:20px;border-top:1px solid #e2e4e9;font-size:14px;line-height:1.6;color:#6a707c;word-break:keep-all`

// Without the fonts that the theme brings: pages are in those of the reader.
import theme from 'vitepress/theme-without-fonts'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet
import './style.css'

export default theme

import NextLink from 'next/link.js'

// Under Node's rules for modules, the default import of a CommonJS file is all that it exports.
export const Link = NextLink.default

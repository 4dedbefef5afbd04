import { palette, themes } from '../../pictures/palette.ts'
import { style } from './style.ts'

const { cabinet } = themes.neutral
const bars = [palette.sky, palette.green, palette.green, palette.orange].map(
  (color, index) => `<rect x="4" y="${3 + index * 3}" width="8" height="2" fill="${color}"/>`,
)
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="2" width="12" height="16" rx="1" fill="${cabinet}"/>${bars.join('')}</svg>`

/** The beginning of every page. Its icon, a rack, needs `img-src data:`. */
export const pageHead = (extra = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${extra}<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<title>dcsim-mirror</title>
<style>${style}</style>
</head>
`

/** Rows as aligned columns, the first to the left and the others to the right. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('  '),
    )
    .join('\n')
}

/** The first row has the heads; what follows the columns of text is numbers. */
export function markdownTable([heads, ...rows]: readonly (readonly string[])[], textColumns = 1): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const marks = heads.map((_, column) => (column < textColumns ? '---' : '---:'))
  return [line(heads), line(marks), ...rows.map(line)].join('\n')
}

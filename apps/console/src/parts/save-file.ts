/** Lets the browser save a file with this content. */
export function saveFile(name: string, type: string, content: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

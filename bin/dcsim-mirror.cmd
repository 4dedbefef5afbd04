@echo off
rem Runs the sources of this checkout on Windows, with the Node 24 or newer on the PATH.
if not exist "%~dp0..\node_modules\.package-lock.json" (
  echo dcsim-mirror: its packages are not installed; run: npm ci 1>&2
  exit /b 1
)
node --max-semi-space-size=16 "%~dp0..\src\main.ts" %*

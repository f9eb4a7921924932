@echo off
rem Records network activity for Netstitch: netstitch-record help
rem SPDX-License-Identifier: GPL-3.0-or-later
setlocal EnableExtensions
set "NS_WPR=%SystemRoot%\System32\wpr.exe"
set "NS_OUT=%USERPROFILE%\Netstitch"
if /i "%~1"=="plain-start" goto :plain
if /i "%~1"=="plain-stop" goto :plain
if /i "%~1"=="plain-cancel" goto :plain

rem A 32-bit console accesses 64-bit programs through Sysnative.
set "NS_PS=%SystemRoot%\System32\WindowsPowerShell\v1.0\powershell.exe"
if exist "%SystemRoot%\Sysnative\WindowsPowerShell\v1.0\powershell.exe" set "NS_PS=%SystemRoot%\Sysnative\WindowsPowerShell\v1.0\powershell.exe"
if not exist "%NS_PS%" goto :blocked
"%NS_PS%" -NoProfile -ExecutionPolicy Bypass -File "%~dp0netstitch-record.ps1" %*
set "NS_STATUS=%ERRORLEVEL%"
if "%NS_STATUS%"=="9" goto :blocked
rem A policy that blocks scripts exits with 1, like any failure: only a script that runs exits with 7.
if not "%NS_STATUS%"=="1" goto :done
"%NS_PS%" -NoProfile -ExecutionPolicy Bypass -File "%~dp0netstitch-record.ps1" probe >nul 2>&1
if not "%ERRORLEVEL%"=="7" goto :blocked

:done
rem Without arguments, the script was double-clicked: keep the window open until a key is pressed.
if "%~1"=="" pause
exit /b %NS_STATUS%

:blocked
echo PowerShell scripts cannot run here. The recorder of Windows can be called directly:
echo   netstitch-record plain-start
echo   netstitch-record plain-stop
echo   netstitch-record plain-cancel
if "%~1"=="" pause
exit /b 9

:plain
if exist "%SystemRoot%\Sysnative\wpr.exe" set "NS_WPR=%SystemRoot%\Sysnative\wpr.exe"
if not exist "%NS_WPR%" goto :nowpr
if not exist "%NS_OUT%" mkdir "%NS_OUT%"
if /i "%~1"=="plain-start" goto :plainstart
if /i "%~1"=="plain-stop" goto :plainstop
"%NS_WPR%" -cancel -instancename Netstitch
exit /b %ERRORLEVEL%

:plainstart
"%NS_WPR%" -start "%~dp0netstitch.wprp!Netstitch" -filemode -instancename Netstitch
if errorlevel 1 exit /b 1
echo The recording holds addresses, host names, full URLs and headers, in which cookies and tokens may stand.
echo Now do what is to be looked at. Then: netstitch-record plain-stop
exit /b 0

:plainstop
"%NS_WPR%" -stop "%NS_OUT%\trace.etl" -instancename Netstitch
if errorlevel 1 exit /b 1
echo "%NS_OUT%\trace.etl"
exit /b 0

:nowpr
echo This Windows has no wpr.exe.
exit /b 1

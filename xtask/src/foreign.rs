//! Checks of sounds with third-party programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use relicast::asset::Game;
use relicast::convert;
use relicast::formats::riff::{self, FormatTag};
use relicast::formats::zipper::archive;
use relicast::scene::Samples;

use crate::Outcome;
use crate::demo;
use crate::tally::Tally;
use crate::tools::{FLAC, SOX};
use relicast_samples as sample;

/// Largest difference between samples of Microsoft's ADPCM: sox rounds predictions down, we round toward zero
/// as most decoders do, and within a block such differences grow. Any other fault leads to thousands.
const MS_TOLERANCE: u16 = 160;

/// Runs the checks with a build of the program; skips those whose program is missing.
///
/// # Errors
/// A file cannot be written or read, or a program cannot be run.
pub fn checks(program: &Path) -> Outcome<Tally> {
    let mut tally = Tally::default();
    match FLAC.ensure() {
        Ok(()) => flac_checks(program, &mut tally)?,
        Err(why) => tally.skip("FLAC files decode to the samples of the WAV files", why),
    }
    match SOX.ensure() {
        Ok(()) => adpcm_checks(&mut tally)?,
        Err(why) => tally.skip("ADPCM sounds decode to the samples that sox finds", why),
    }
    Ok(tally)
}

/// Converts the samples of the demonstration to WAV and FLAC and compares the two.
fn flac_checks(program: &Path, tally: &mut Tally) -> Outcome {
    let folder = demo::folder().join("flac");
    fs::create_dir_all(&folder)?;
    let configuration = folder.join("both.toml");
    fs::write(
        &configuration,
        "[sounds]\nformat = \"both\"\n[music]\nformat = \"both\"\n[video]\nenabled = false\n",
    )?;
    for sample in demo::samples() {
        let title = sample.title;
        let out = folder.join(sample.name);
        let code = demo::convert_with(program, &sample.input(), &out, &configuration)?;
        let mut wrong = Vec::new();
        let mut compared = 0;
        for flac in files_below(&out, "flac")? {
            let wave = fs::read(flac.with_extension("wav"))?;
            let wave = riff::decode(&wave)?.value;
            let bits = wave.format()?.header.bits;
            compared += 1;
            test_flac(&flac)?;
            if foreign_flac(&flac, bits)? != *wave.data()?.payload {
                wrong.push(flac);
            }
        }
        let what = format!(
            "{title}: all of {compared} FLAC files hold the samples of their WAV files; wrong: {wrong:?}"
        );
        tally.check(what, code == Some(0) && compared > 0 && wrong.is_empty());
    }
    Ok(())
}

/// Makes flac compare the samples of a file with the MD5 in it.
fn test_flac(path: &Path) -> Outcome {
    let mut test = Command::new(FLAC.program);
    let output = test
        .args(["--test", "--silent", "--warnings-as-errors"])
        .arg(path)
        .stdin(Stdio::null())
        .output()?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(format!("flac --test: {}: {said}", path.display()).into())
        }
    }
}

/// Returns the samples of a FLAC file as a WAV file stores them.
fn foreign_flac(path: &Path, bits: u16) -> Outcome<Vec<u8>> {
    let sign = match bits {
        8 => "--sign=unsigned",
        _ => "--sign=signed",
    };
    let output = Command::new(FLAC.program)
        .args(["--decode", "--stdout", "--silent", "--force-raw-format"])
        .args(["--endian=little", sign])
        .arg(path)
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("flac: {}: {said}", path.display()).into());
    }
    Ok(output.stdout)
}

/// Decodes the ADPCM members of Crimson Skies' sample with sox and with our decoder.
fn adpcm_checks(tally: &mut Tally) -> Outcome {
    let folder = demo::folder().join("adpcm");
    fs::create_dir_all(&folder)?;
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in sample::files(Game::Cs, 1)? {
        if !file.path.contains("sounds") {
            continue;
        }
        for (number, entry) in archive::decode(&file.bytes)?
            .value
            .entries
            .iter()
            .enumerate()
        {
            let wave = riff::decode(&entry.data)?.value;
            let coding = wave.format()?.coding();
            if !matches!(coding, FormatTag::MsAdpcm | FormatTag::ImaAdpcm) {
                continue;
            }
            let sound = convert::sound(&wave, &entry.data)?.value;
            let Samples::I16Le(ours) = &sound.samples else {
                return Err("ADPCM that is not of 16 bits".into());
            };
            let path = folder.join(format!("{number}.wav"));
            fs::write(&path, &*entry.data)?;
            compared += 1;
            let tolerance = match coding {
                FormatTag::MsAdpcm => MS_TOLERANCE,
                _ => 0,
            };
            if !is_close(&foreign_samples(&path)?, ours, tolerance) {
                wrong.push(format!("{}/{} ({coding:?})", file.path, entry.name()));
            }
        }
    }
    let what = format!("all of {compared} ADPCM sounds decode as in sox; wrong: {wrong:?}");
    tally.check(what, compared > 0 && wrong.is_empty());
    Ok(())
}

/// True if two runs of 16-bit samples have the same length and differ by at most `tolerance`.
fn is_close(left: &[u8], right: &[u8], tolerance: u16) -> bool {
    let samples = |bytes: &[u8]| -> Vec<i16> {
        let pairs = bytes.as_chunks::<2>().0.iter();
        pairs.map(|&pair| i16::from_le_bytes(pair)).collect()
    };
    let (left, right) = (samples(left), samples(right));
    left.len() == right.len()
        && left
            .iter()
            .zip(&right)
            .all(|(left, right)| left.abs_diff(*right) <= tolerance)
}

fn foreign_samples(path: &Path) -> Outcome<Vec<u8>> {
    let output = Command::new(SOX.program)
        .args(["-V1", "-D"])
        .arg(path)
        .args([
            "--type",
            "raw",
            "--encoding",
            "signed-integer",
            "--bits",
            "16",
        ])
        .args(["--endian", "little", "-"])
        .stdin(Stdio::null())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(format!("sox: {}: {said}", path.display()).into());
    }
    Ok(output.stdout)
}

/// Files with an extension below a folder, sorted.
fn files_below(folder: &Path, extension: &str) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

using UnityEditor;
using UnityEngine;

namespace Relicast.Editor
{
    /// <summary>
    /// Import settings of our pictures: glTFast uses the project's assets, so repeat mode, filter and mipmaps are set
    /// here.
    /// </summary>
    public sealed class ImportSettings : AssetPostprocessor
    {
        void OnPreprocessTexture()
        {
            if (!assetPath.StartsWith(Package.Root + "/textures/"))
            {
                return;
            }
            TextureImporter importer = (TextureImporter)assetImporter;
            if (!importer.importSettingsMissing)
            {
                return;
            }
            importer.wrapMode = TextureWrapMode.Repeat;
            importer.filterMode = FilterMode.Trilinear;
            importer.mipmapEnabled = true;
            importer.npotScale = TextureImporterNPOTScale.None;
            importer.alphaIsTransparency = true;
            importer.textureCompression = TextureImporterCompression.Uncompressed;
        }
    }
}
